import { useEffect, useState, useSyncExternalStore } from 'react'
import { beforeLogOut } from '../../api/before-log-out.ts'
import { useSignedInUser } from '../../api/current-user.ts'
import { createDraftSync, type DraftSync } from './draft-sync.ts'
import type { SaveState } from './save-outcome.ts'
import { sendIntake } from './send-intake.ts'

const TYPING_PAUSE_MS = 800
const RETRY_MS = 15_000

/** 64 random bits; `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
const newEditId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (bits) => bits.toString(36)).join('')

/** The user's draft, synced while the component is mounted. */
export function useDraftSync(prepare: (draft: DraftSync) => void = () => {}): DraftSync {
  const { email } = useSignedInUser()
  const [draft] = useState(() => {
    const created = createDraftSync({
      storage: sessionStorage,
      owner: email,
      send: sendIntake,
      newId: newEditId,
    })
    prepare(created)
    return created
  })
  useEffect(() => {
    draft.resume()
    return draft.pause
  }, [draft])
  return draft
}

export function useSaveState(draft: DraftSync): SaveState {
  return useSyncExternalStore(draft.onChange, draft.state)
}

/**
 * Saves shortly after the last key, when a field, the screen or the tab is left, and, while the server is
 * unreachable, at intervals and as soon as the network is back. Asks before the tab is closed with
 * answers that could not be saved.
 */
export function useAutosave(draft: DraftSync): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const saveIn = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void draft.save(), ms)
    }
    const saveUnsent = () => {
      if (draft.hasUnsent()) void draft.save()
    }
    const stop = draft.onChange(() => {
      if (!draft.hasUnsent()) return
      saveIn(draft.state().kind === 'unreachable' ? RETRY_MS : TYPING_PAUSE_MS)
    })
    const onVisibility = () => (document.hidden ? leave() : saveUnsent())
    const leave = () => {
      if (draft.hasUnsent()) draft.flush()
    }
    const askBeforeClosing = (event: Event) => {
      if (draft.keptHereOnly() !== '') event.preventDefault()
    }
    const mounted = new AbortController()
    const { signal } = mounted
    addEventListener('online', saveUnsent, { signal })
    addEventListener('focusout', saveUnsent, { signal })
    addEventListener('pagehide', leave, { signal })
    addEventListener('beforeunload', askBeforeClosing, { signal })
    document.addEventListener('visibilitychange', onVisibility, { signal })
    saveUnsent()
    return () => {
      stop()
      clearTimeout(timer)
      mounted.abort()
      // Sends what was typed just before Back. If that fails, `SendUnsentIntake` sends it again.
      if (draft.state().kind === 'saving') draft.flush()
    }
  }, [draft])
}

const LOG_OUT_UNSENT =
  'Your last answers are not saved yet. Try again in a moment, or press Log out again to leave without them.'
const LOG_OUT_INVALID =
  'An answer of your intake is not saved yet. Fix it, or press Log out again to leave without it.'

/** Saves before a log out, which clears the draft. Refuses once if that fails, so that nothing is lost unnoticed. */
export function useSaveBeforeLogOut(draft: DraftSync): void {
  useEffect(() => {
    let warnedAbout = ''
    return beforeLogOut(async () => {
      if (draft.hasUnsent()) await draft.save()
      const kept = draft.keptHereOnly()
      if (kept === warnedAbout || kept === '') return
      warnedAbout = kept
      throw new Error(draft.state().kind === 'unreachable' ? LOG_OUT_UNSENT : LOG_OUT_INVALID)
    })
  }, [draft])
}
