/** Code that could not be fetched. */
export class LoadFailure extends Error {
  override name = 'LoadFailure'
  /** True without a connection to the portal. Otherwise the files of this version are gone after a deploy. */
  readonly offline: boolean

  constructor(offline: boolean, options?: ErrorOptions) {
    super('code could not be fetched', options)
    this.offline = offline
  }
}

const RESPONSE_MS = 10_000

/** Asks the server, because `navigator.onLine` only knows about the device's own network. */
export async function portalResponds(): Promise<boolean> {
  try {
    await fetch('/brand/logo.svg', {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(RESPONSE_MS),
    })
    return true
  } catch {
    return false
  }
}

const failed = new Set<() => void>()

/** Allows another attempt to load what failed. Until then it stays failed, so that React shows the failure. */
export function forgetLoadFailures(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/**
 * The result loads the code at its first call, which may be before the code is needed, and returns the same code later.
 */
export function lazyCode<Code>(
  load: () => Promise<Code>,
  onForget = () => {},
): () => Promise<Code> {
  let loading: Promise<Code> | undefined
  const forget = () => {
    loading = undefined
    onForget()
  }
  return () => {
    if (loading) return loading
    loading = attempt(load)
    loading.catch(() => failed.add(forget))
    return loading
  }
}

let fetchedAhead = false

/**
 * Records that `LoadAhead` has put all code into the browser's HTTP cache, so that it also loads without a connection.
 */
export function setFetchedAhead(): void {
  fetchedAhead = true
}

async function attempt<Code>(load: () => Promise<Code>): Promise<Code> {
  // Browsers remember a failed import until the page is reloaded, so do not try what cannot be fetched.
  if (!fetchedAhead && !navigator.onLine && !(await portalResponds())) throw new LoadFailure(true)
  try {
    return await load()
  } catch (cause) {
    throw new LoadFailure(!(await portalResponds()), { cause })
  }
}
