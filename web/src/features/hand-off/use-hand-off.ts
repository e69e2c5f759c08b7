import { checkAuth } from '@guidon/contract/auth'
import type { BodyIn } from '@guidon/contract/endpoint'
import {
  createHandOff,
  endHandOff,
  getHandOff,
  HAND_OFF_POLL_SECONDS,
  type HandOff,
  type HandOffState,
} from '@guidon/contract/hand-off'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAuthFailure } from '../../api/call-failure.ts'
import { call, withSessionRefresh } from '../../api/call.ts'
import { isGone } from '../../api/is-gone.ts'
import { send } from '../../api/send.ts'
import { UPLOAD_PROGRESS } from '../../api/upload-signals.ts'

const isOver = (state: HandOffState | undefined): boolean =>
  state === 'arrived' || state === 'expired'

/** Shows a code from its creation until the component is gone, and follows what the phone does. */
export function useHandOff(slot: BodyIn<typeof createHandOff>) {
  // Not a query: a refetch, as after a change of the case, would end the code and make another one.
  const creation = useMutation({
    mutationFn: async () => {
      const { secondsLeft, ...created } = await call(createHandOff, { body: slot })
      return { ...created, endsAt: Date.now() + secondsLeft * 1000 }
    },
    // The code is a secret.
    gcTime: 0,
  })
  const { mutate } = creation
  useEffect(() => mutate(), [mutate])
  const { id, token } = creation.data ?? {}
  const followed = useQuery({
    queryKey: ['hand-off-state', id],
    queryFn: ({ signal }) => readState(id ?? '', signal),
    enabled: id !== undefined,
    gcTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      isOver(data?.state) || isGone(error) ? false : HAND_OFF_POLL_SECONDS * 1000,
  })
  useEndOnLeave(id)
  const { state, pages = 0 } = followed.data ?? {}
  const known = id === undefined ? undefined : (state ?? 'waiting')

  useEffect(() => {
    // Taking photos is activity of the user, although not on this computer.
    if (state === 'connected' || state === 'sending')
      dispatchEvent(new CustomEvent(UPLOAD_PROGRESS, { detail: pages }))
  }, [state, pages])

  return {
    token,
    /** Undefined while the code is made. */
    state: known,
    /** Whether it was ended in another tab, for example. */
    gone: isGone(followed.error),
    pages,
    documentId: followed.data?.documentId ?? undefined,
    endsAt: followed.data
      ? followed.dataUpdatedAt + followed.data.secondsLeft * 1000
      : (creation.data?.endsAt ?? 0),
    error: creation.error,
    renew: () => mutate(),
  }
}

/**
 * Polling is a background request, which does not refresh the session, so `checkAuth` does it. The code is valid for
 * minutes only, so this does not keep the session of an absent user open for long.
 */
async function readState(id: string, signal: AbortSignal): Promise<HandOff> {
  const read = () => call(getHandOff, { params: { id }, signal })
  try {
    return await read()
  } catch (error) {
    if (!isAuthFailure(error)) throw error
    await call(checkAuth, { signal })
    return read()
  }
}

/** The server keeps a hand-off whose file is being sent. */
function useEndOnLeave(id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return
    return () => {
      const end = () => send(endHandOff, { params: { id }, keepalive: true })
      // Quiet: the reason to leave may be that the session has ended.
      withSessionRefresh(endHandOff, end, { quiet: true }).catch(() => {})
    }
  }, [id])
}
