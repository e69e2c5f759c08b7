import type { IntakeStep } from '@guidon/contract/intake'
import MenuIcon from '@mui/icons-material/Menu'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Main } from '../../ui/Main.tsx'
import { PageFrame } from '../../ui/PageFrame.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { StepMenu } from './StepMenu.tsx'
import { allSteps } from './steps.ts'
import type { Answers } from './wizard-step.ts'
import css from './WizardLayout.module.css'

const Columns = withClass('div', css['columns'])

const Side = withClass('nav', css['side'])

const Page = withClass(Main, css['page'])

const StepArea = withClass('div', css['stepArea'])

const Bar = withClass('div', css['bar'])

const StepsDrawer = lazyPart(async () => (await import('./StepsDrawer.tsx')).StepsDrawer)

interface Props {
  account: ReactNode
  step: IntakeStep
  answers: Answers
  onGo: (step: IntakeStep) => void
  children: ReactNode
}

export function WizardLayout({ account, step, answers, onGo, children }: Props) {
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  // The drawer stays mounted after it was first opened, for the transition when it closes.
  if (open && !opened) setOpened(true)
  const number = allSteps.findIndex(({ name }) => name === step) + 1
  return (
    <PageFrame account={account}>
      <Columns>
        <Side aria-label="Steps">
          <StepMenu current={step} answers={answers} onGo={onGo} />
        </Side>
        <Page>
          <StepArea>
            <Typography color="textSecondary" className={css['text']}>
              Step {number} of {allSteps.length}
            </Typography>
            <Button
              variant="text"
              startIcon={<MenuIcon aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => setOpen(true)}
              className={css['button']}
            >
              All steps
            </Button>
          </StepArea>
          <Bar aria-hidden>
            <div style={{ width: `${((number - 1) / allSteps.length) * 100}%` }} />
          </Bar>
          {children}
        </Page>
      </Columns>
      {opened && (
        <StepsDrawer
          open={open}
          onClose={() => setOpen(false)}
          current={step}
          answers={answers}
          onGo={onGo}
        />
      )}
    </PageFrame>
  )
}
