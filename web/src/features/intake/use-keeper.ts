import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { intakeKeeper, type IntakeKeeper, type SaveState } from './keeper.ts'
import { sendIntake } from './send-intake.ts'

const TYPING_PAUSE_MS = 800
const RETRY_MS = 15_000

/** 64 random bits; `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
const newEditId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (bits) => bits.toString(36)).join('')

/** The user's draft, synced while the component is mounted. */
export function useKeeper(prepare: (keeper: IntakeKeeper) => void = () => {}): IntakeKeeper {
  const { email } = useSignedInUser()
  const [keeper] = useState(() => {
    const made = intakeKeeper({
      storage: sessionStorage,
      owner: email,
      send: sendIntake,
      newId: newEditId,
    })
    prepare(made)
    return made
  })
  useEffect(() => {
    keeper.wake()
    return keeper.rest
  }, [keeper])
  return keeper
}

export function useSaveState(keeper: IntakeKeeper): SaveState {
  return useSyncExternalStore(keeper.onChange, keeper.state)
}

/**
 * Saves shortly after the last key, when a field or the tab is left, and, while the server is
 * unreachable, at intervals and as soon as the network is back.
 */
export function useAutosave(keeper: IntakeKeeper): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const saveIn = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void keeper.save(), ms)
    }
    const saveWhatWaits = () => {
      if (keeper.waits()) void keeper.save()
    }
    const stop = keeper.onChange(() => {
      if (!keeper.waits()) return
      saveIn(keeper.state().kind === 'unsent' ? RETRY_MS : TYPING_PAUSE_MS)
    })
    addEventListener('online', saveWhatWaits)
    addEventListener('focusout', saveWhatWaits)
    document.addEventListener('visibilitychange', saveWhatWaits)
    saveWhatWaits()
    return () => {
      stop()
      clearTimeout(timer)
      removeEventListener('online', saveWhatWaits)
      removeEventListener('focusout', saveWhatWaits)
      document.removeEventListener('visibilitychange', saveWhatWaits)
    }
  }, [keeper])
}
