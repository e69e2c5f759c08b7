type Name =
  | 'GUIDON_PORTAL'
  | 'GUIDON_MAILBOX'
  | 'GUIDON_SALESFORCE'
  | 'GUIDON_BOX'
  | 'GUIDON_DATABASE'
  | 'GUIDON_ACCOUNTS'

/** Returns an address of the running stack, which the global setup passes to the workers as a variable. */
export function address(name: Name): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is missing: the global setup sets it`)
  return value
}
