interface Settings {
  /** Origin of the API; empty when it serves the pages too. */
  host: string
  /** The session is over and nothing here can bring it back. */
  onSessionEnd: () => void
}

const settings: Settings = { host: '', onSessionEnd: () => {} }

/** The app injects what calls need from it, so that this folder knows no router. */
export function configureCalls(given: Partial<Settings>): void {
  Object.assign(settings, given)
}

export function callSettings(): Readonly<Settings> {
  return settings
}
