import { screens } from '@guidon/contract/screens'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { lastSessionSeen, noteSeenElsewhere, onSessionSeen } from '../api/session-seen.ts'
import { hearTabs, tellTabs } from './tabs.ts'

/** All tabs know of the latest activity in any of them, and one that logs out takes the others along. */
export function useTabs(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const tell = () => tellTabs({ kind: 'seen', at: lastSessionSeen() })
    // What was seen before this screen came up is news to the others too.
    tell()
    const quiet = onSessionSeen(tell)
    const deaf = hearTabs((message) => {
      if (message.kind === 'seen') noteSeenElsewhere(message.at)
      else void navigate(screens.signIn, { replace: true })
    })
    return () => {
      quiet()
      deaf()
    }
  }, [navigate])
}
