import { INTAKE_STEPS, type IntakeStep } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { IntakeKeeper } from './keeper.ts'

interface Place {
  step: IntakeStep
  /** Opened from the Preview, to which Next returns. */
  changing?: boolean
}

function placeIn(state: unknown): Place | undefined {
  const { step, changing } = (state ?? {}) as Record<string, unknown>
  const known = INTAKE_STEPS.find((name) => name === step)
  return known && { step: known, changing: changing === true }
}

/** Each step is an entry of the browser's history, so that its Back button returns to the previous step. */
export function useWizardPlace(keeper: IntakeKeeper) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [first] = useState<Place>(() => ({ step: keeper.step() }))
  const place = placeIn(state) ?? first

  useEffect(() => {
    keeper.go(place.step)
    void keeper.save()
  }, [keeper, place.step])

  return {
    ...place,
    go: (to: Place) => {
      scrollTo(0, 0)
      void navigate(screens.getStarted, { state: to })
    },
  }
}
