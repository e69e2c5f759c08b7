import type { IntakeStep } from '@guidon/contract/intake'
import Close from '@mui/icons-material/Close'
import MenuIcon from '@mui/icons-material/Menu'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId, useState, type ReactNode } from 'react'
import { Main } from '../../ui/Main.tsx'
import { PageFrame } from '../../ui/PageFrame.tsx'
import { StepMenu } from './StepMenu.tsx'
import { allSteps } from './steps.ts'
import type { Answers } from './wizard-step.ts'

const MENU_WIDTH = 280

const Columns = styled('div')(({ theme: { breakpoints } }) => ({
  flex: 1,
  display: 'grid',
  [breakpoints.up('md')]: { gridTemplateColumns: `${MENU_WIDTH}px minmax(0, 1fr)` },
  '@media print': { display: 'block' },
}))

const Side = styled('nav')(({ theme: { vars, breakpoints } }) => ({
  padding: '32px 20px',
  backgroundColor: vars.palette.background.paper,
  borderRight: `1px solid ${vars.palette.divider}`,
  [breakpoints.down('md')]: { display: 'none' },
  '@media print': { display: 'none' },
}))

const Page = styled(Main)(({ theme: { breakpoints } }) => ({
  width: 'min(45.6rem, 100%)',
  padding: '20px 16px 32px',
  [breakpoints.up('md')]: { padding: '48px 48px 56px' },
  '@media print': { width: '100%', padding: '16px 0' },
}))

const StepArea = styled('div')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: 28,
  marginBottom: 8,
  '@media print': { display: 'none' },
})

const Bar = styled('div')(({ theme: { vars } }) => ({
  height: 10,
  marginBottom: 28,
  borderRadius: 5,
  // A frame without a fill, so that an empty bar does not look like a full one.
  border: `1px solid ${vars.palette.field}`,
  backgroundColor: vars.palette.background.paper,
  overflow: 'hidden',
  '& > div': { height: '100%', backgroundColor: vars.palette.primary.main },
  '@media (forced-colors: active)': {
    '& > div': { forcedColorAdjust: 'none', backgroundColor: 'Highlight' },
  },
  '@media print': { display: 'none' },
}))

const DrawerTop = styled('div')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  marginBottom: 12,
})

interface Props {
  account: ReactNode
  step: IntakeStep
  answers: Answers
  onGo: (step: IntakeStep) => void
  children: ReactNode
}

export function WizardLayout({ account, step, answers, onGo, children }: Props) {
  const title = useId()
  const [open, setOpen] = useState(false)
  const number = allSteps.findIndex(({ name }) => name === step) + 1
  return (
    <PageFrame account={account}>
      <Columns>
        <Side aria-label="Steps">
          <StepMenu current={step} answers={answers} onGo={onGo} />
        </Side>
        <Page>
          <StepArea>
            <Typography color="textSecondary" sx={{ fontWeight: 700 }}>
              Step {number} of {allSteps.length}
            </Typography>
            <Button
              variant="text"
              startIcon={<MenuIcon aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => setOpen(true)}
              sx={{ display: { md: 'none' }, px: 1, mr: -1 }}
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
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        sx={{ display: { md: 'none' } }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-modal': true,
            'aria-labelledby': title,
            sx: { width: `min(${MENU_WIDTH}px, 100vw)`, p: '12px 16px', backgroundImage: 'none' },
          },
        }}
      >
        <DrawerTop>
          <Typography id={title} variant="h2">
            All steps
          </Typography>
          <Button
            variant="text"
            startIcon={<Close aria-hidden />}
            onClick={() => setOpen(false)}
            sx={{ px: 1, mr: -1 }}
          >
            Close
          </Button>
        </DrawerTop>
        <nav aria-label="Steps">
          <StepMenu
            current={step}
            answers={answers}
            onGo={(chosen) => {
              setOpen(false)
              onGo(chosen)
            }}
          />
        </nav>
      </Drawer>
    </PageFrame>
  )
}
