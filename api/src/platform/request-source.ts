import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a request came from, in a form that may be stored: never the address itself. */
export interface Source {
  /** The first part of the address; null where it is not one. */
  network: string | null
  /** A keyed hash of the address. */
  address: Buffer
}

/** Made when it is first needed: most requests log nothing. */
const current = new AsyncLocalStorage<() => Source>()

/** Everything that is logged inside `work` came from there. */
export function withSource<T>(source: () => Source, work: () => T): T {
  return current.run(source, work)
}

/** Undefined outside of a request: in a worker and on the command line. */
export const currentSource = (): Source | undefined => current.getStore()?.()
