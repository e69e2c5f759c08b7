/** Messages between the tabs of one session. `seen`: the server recorded its use. `left`: the user logged out. */
export type TabMessage = { kind: 'seen'; at: number } | { kind: 'left' }

export const TAB_CHANNEL = 'guidon-session'

let channel: BroadcastChannel | undefined

/** One channel per tab: it does not receive its own messages, but would receive those of a second one. */
function open(): BroadcastChannel | undefined {
  if (!('BroadcastChannel' in globalThis)) return undefined
  return (channel ??= new BroadcastChannel(TAB_CHANNEL))
}

export function postToTabs(message: TabMessage): void {
  open()?.postMessage(message)
}

/**
 * Call it before a sign-in or sign-up replaces the session of the other tabs: what they save now still goes to their
 * own account; later it would go to the new one.
 */
export const logOutOtherTabs = () => postToTabs({ kind: 'left' })

export function onTabMessage(received: (message: TabMessage) => void): () => void {
  const listener = ({ data }: MessageEvent<TabMessage>) => received(data)
  const opened = open()
  opened?.addEventListener('message', listener)
  return () => opened?.removeEventListener('message', listener)
}
