import { screens } from '@guidon/contract/screens'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { lastSessionSeen, noteSeenElsewhere, onSessionSeen } from '../api/session-seen.ts'
import { hearTabs, tellTabs } from './tabs.ts'

/** Shares the latest activity between tabs, and signs all of them out together. */
export function useTabs(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const tell = () => tellTabs({ kind: 'seen', at: lastSessionSeen() })
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
