import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a request came from, in a form that may be stored; never the IP address itself. */
export interface Source {
  /** The first part of the IP address; null if it is invalid. */
  network: string | null
  /** A keyed hash of the IP address. */
  address: Buffer
}

/** A function, because most requests never need it. */
const current = new AsyncLocalStorage<() => Source>()

export function withSource<T>(source: () => Source, work: () => T): T {
  return current.run(source, work)
}

/** Undefined in the worker and the admin tool. */
export const currentSource = (): Source | undefined => current.getStore()?.()
