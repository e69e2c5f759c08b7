interface Settings {
  /** Origin of the API; empty when it serves the pages too. */
  host: string
  /** Called when the session is over and cannot be refreshed. */
  onSessionEnd: () => void
}

const settings: Settings = { host: '', onSessionEnd: () => {} }

/** Set by the app, so that this folder does not depend on the router. */
export function configureCalls(given: Partial<Settings>): void {
  Object.assign(settings, given)
}

export function callSettings(): Readonly<Settings> {
  return settings
}
