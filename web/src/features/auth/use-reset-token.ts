import { resetPasswordForm } from '@guidon/contract/password'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

const KEY = 'guidon.reset-token'

/**
 * The token of the emailed link; empty if it is missing or malformed. It stays in the address until this screen
 * has loaded: if the screen's code fails to load, the page is reloaded and needs the token again. Then it moves
 * from the address and the history to `sessionStorage`, so that a later reload does not lose it.
 */
export function useResetToken(): string {
  const { search } = useLocation()
  const [token] = useState(() => {
    const given = new URLSearchParams(search).get('token') ?? sessionStorage.getItem(KEY)
    return resetPasswordForm.shape.token.safeParse(given).data ?? ''
  })
  useEffect(() => {
    if (token) sessionStorage.setItem(KEY, token)
    else clearResetToken()
    history.replaceState(history.state, '', location.pathname)
  }, [token])
  return token
}

export function clearResetToken(): void {
  sessionStorage.removeItem(KEY)
}
