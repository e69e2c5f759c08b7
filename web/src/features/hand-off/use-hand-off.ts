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
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CallFailure, isAuthFailure } from '../../api/call-failure.ts'
import { call, withSessionRefresh } from '../../api/call.ts'
import { send } from '../../api/send.ts'
import { UPLOAD_PROGRESS } from '../../api/upload.ts'

const isOver = (state: HandOffState | undefined): boolean =>
  state === 'arrived' || state === 'expired'

/** Shows a code from its creation until the component is gone, and follows what the phone does. */
export function useHandOff(slot: BodyIn<typeof createHandOff>) {
  const [number, setNumber] = useState(1)
  const created = useQuery({
    queryKey: ['hand-off', slot, number],
    queryFn: () => call(createHandOff, { body: slot }),
    // The code is a secret, and a second call would end the first one.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { id, token } = created.data ?? {}
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
      : created.dataUpdatedAt + (created.data?.secondsLeft ?? 0) * 1000,
    error: created.error,
    renew: () => (created.error ? void created.refetch() : setNumber(number + 1)),
  }
}

/** In the background the session is not refreshed. The code is valid for minutes only, so refreshing for it is fine. */
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

const isGone = (error: unknown): boolean => error instanceof CallFailure && error.status === 404

/** The server keeps a hand-off whose file is being sent. */
function useEndOnLeave(id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return
    return () => {
      const end = () => send(endHandOff, { params: { id }, keepalive: true })
      // Quiet: the reason to leave may be that the session has ended.
      withSessionRefresh(endHandOff, end, true).catch(() => {})
    }
  }, [id])
}
