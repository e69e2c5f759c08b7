import { resetPasswordForm } from '@guidon/contract/password'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * The token of the emailed link; empty if it is missing or malformed. It is removed from the address bar
 * and the history as soon as it is read. Not earlier: a screen that failed to load is reloaded with it.
 */
export function useResetToken(): string {
  const { search } = useLocation()
  const [token] = useState(() => {
    const given = new URLSearchParams(search).get('token')
    return resetPasswordForm.shape.token.safeParse(given).data ?? ''
  })
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname)
  }, [])
  return token
}
