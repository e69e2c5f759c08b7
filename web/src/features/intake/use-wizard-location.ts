import { INTAKE_STEPS, type IntakeStep } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { DraftSync } from './draft-sync.ts'

interface Place {
  step: IntakeStep
  /**
   * Set if the step was opened from the Preview. `changing`: the next press returns to it. `adding`: it
   * leads through the steps with unanswered questions first.
   */
  fromPreview?: 'changing' | 'adding'
}

function locationIn(state: unknown): Place | undefined {
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
  const [first] = useState<Place>(() => ({ step: draft.step() }))
  const place = locationIn(state) ?? first

  useEffect(() => {
    draft.go(place.step)
    void draft.save()
  }, [draft, place.step])

  return {
    ...place,
    go: (to: Place) => {
      scrollTo(0, 0)
      void navigate(screens.getStarted, { state: to })
    },
  }
}
