import type { Stack } from '@guidon/sandbox/stack/stack'

type Name =
  | 'GUIDON_PORTAL'
  | 'GUIDON_MAILBOX'
  | 'GUIDON_SALESFORCE'
  | 'GUIDON_BOX'
  | 'GUIDON_DATABASE'
  | 'GUIDON_ACCOUNTS'

/** Environment variables, because Playwright's workers inherit them. */
export function setAddresses({ urls }: Stack, accounts: { url: string }): void {
  const addresses: Record<Name, string> = {
    GUIDON_PORTAL: urls.portal,
    GUIDON_MAILBOX: urls.mailbox,
    GUIDON_SALESFORCE: urls.salesforce,
    GUIDON_BOX: urls.box,
    GUIDON_DATABASE: urls.database,
    GUIDON_ACCOUNTS: accounts.url,
  }
  Object.assign(process.env, addresses)
}

/** Returns an address of the running stack, from the variable that the global setup or `useOwnStack` has set. */
export function address(name: Name): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: the global setup must set it`)
  return value
}
