import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { screens } from '@guidon/contract/screens'
import { configureCalls } from '../api/settings.ts'

/** A session that cannot be refreshed leads to /signin, which forgets everything kept in the browser. */
export function useSessionEnd(): void {
  const navigate = useNavigate()
  useEffect(() => {
    configureCalls({ onSessionEnd: () => void navigate(screens.signIn, { replace: true }) })
  }, [navigate])
}
