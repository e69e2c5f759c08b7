import { INTAKE_STEPS, type IntakeStep } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { DraftSync } from './draft-sync.ts'

interface WizardLocation {
  step: IntakeStep
  /**
   * Set if the step was opened from the Preview. `changing`: the button Next returns to the Preview. `adding`:
   * Next first leads through the steps with unanswered questions.
   */
  fromPreview?: 'changing' | 'adding'
}

function locationIn(state: unknown): WizardLocation | undefined {
  const { step, fromPreview } = (state ?? {}) as Record<string, unknown>
  const knownStep = INTAKE_STEPS.find((name) => name === step)
  if (!knownStep) return undefined
  const isKnown = fromPreview === 'changing' || fromPreview === 'adding'
  return { step: knownStep, ...(isKnown && { fromPreview }) }
}

/** Each step is an entry of the browser's history, so that its Back button returns to the previous step. */
export function useWizardLocation(draft: DraftSync) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [first] = useState<WizardLocation>(() => ({ step: draft.step() }))
  const location = locationIn(state) ?? first

  useEffect(() => {
    draft.go(location.step)
    void draft.save()
  }, [draft, location.step])

  return {
    ...location,
    go: (to: WizardLocation) => {
      scrollTo(0, 0)
      void navigate(screens.getStarted, { state: to })
    },
  }
}
