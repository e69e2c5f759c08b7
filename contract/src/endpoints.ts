import * as auth from './auth.ts'
import type { Endpoint } from './endpoint.ts'

/** Every call of the product. A route that is not here cannot be bound; one that is here must be. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  login: auth.login,
  verifyLogin: auth.verifyLogin,
  resendVerificationCode: auth.resendVerificationCode,
  logout: auth.logout,
  refresh: auth.refresh,
  checkAuth: auth.checkAuth,
}
