import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { createDraftSync, type DraftSync, type SaveState } from './draft-sync.ts'
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
 * Saves shortly after the last key, when a field or the tab is left, and, while the server is
 * unreachable, at intervals and as soon as the network is back.
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
      saveIn(draft.state().kind === 'unsent' ? RETRY_MS : TYPING_PAUSE_MS)
    })
    addEventListener('online', saveUnsent)
    addEventListener('focusout', saveUnsent)
    document.addEventListener('visibilitychange', saveUnsent)
    saveUnsent()
    return () => {
      stop()
      clearTimeout(timer)
      removeEventListener('online', saveUnsent)
      removeEventListener('focusout', saveUnsent)
      document.removeEventListener('visibilitychange', saveUnsent)
    }
  }, [draft])
}
