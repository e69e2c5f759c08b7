import { screens } from '@guidon/contract/screens'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { lastSessionSeen, recordSeenInOtherTab, onSessionSeen } from '../api/session-seen.ts'
import { onTabMessage, postToTabs } from '../api/tab-channel.ts'

/** Shares the latest activity between tabs, and signs all of them out together. */
export function useTabSync(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const post = () => postToTabs({ kind: 'seen', at: lastSessionSeen() })
    post()
    const stopPosting = onSessionSeen(post)
    const stopListening = onTabMessage((message) => {
      if (message.kind === 'seen') recordSeenInOtherTab(message.at)
      else void navigate(screens.signIn, { replace: true })
    })
    return () => {
      stopPosting()
      stopListening()
    }
  }, [navigate])
}
