import { INTAKE_STEPS, type IntakeStep } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { DraftSync } from './draft-sync.ts'

interface Place {
  step: IntakeStep
  /** Opened from the Preview, to which Next returns. */
  changing?: boolean
}

function locationIn(state: unknown): Place | undefined {
  const { step, changing } = (state ?? {}) as Record<string, unknown>
  const knownStep = INTAKE_STEPS.find((name) => name === step)
  return knownStep && { step: knownStep, changing: changing === true }
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
