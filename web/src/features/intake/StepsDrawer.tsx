import type { IntakeStep } from '@guidon/contract/intake'
import Close from '@mui/icons-material/Close'
import Drawer from '@mui/material/Drawer'
import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Themed } from '../../ui/Themed.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { StepMenu } from './StepMenu.tsx'
import type { Answers } from './wizard-step.ts'
import css from './StepsDrawer.module.css'

interface Props {
  open: boolean
  onClose: () => void
  current: IntakeStep
  answers: Answers
  onGo: (step: IntakeStep) => void
}

/** The steps on a phone. */
export function StepsDrawer({ open, onClose, current, answers, onGo }: Props) {
  const title = useId()
  return (
    <Themed>
      <Drawer
        open={open}
        onClose={onClose}
        className={css['drawer'] ?? ''}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-modal': true,
            'aria-labelledby': title,
            className: css['paper'] ?? '',
          },
        }}
      >
        <div className={css['top']}>
          <Typography id={title} variant="h2">
            All steps
          </Typography>
          <Button
            variant="text"
            startIcon={<Close aria-hidden />}
            onClick={onClose}
            className={css['close']}
          >
            Close
          </Button>
        </div>
        <nav aria-label="Steps">
          <StepMenu
            current={current}
            answers={answers}
            onGo={(chosen) => {
              onClose()
              onGo(chosen)
            }}
          />
        </nav>
      </Drawer>
    </Themed>
  )
}
