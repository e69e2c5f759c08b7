type Name =
  | 'GUIDON_PORTAL'
  | 'GUIDON_MAILBOX'
  | 'GUIDON_SALESFORCE'
  | 'GUIDON_BOX'
  | 'GUIDON_DATABASE'
  | 'GUIDON_ACCOUNTS'

/** Returns an address of the running stack, from the variable that the global setup or `useOwnStack` has set. */
export function address(name: Name): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: the global setup must set it`)
  return value
}
