import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

export function withOperator<T>(name: string, work: () => T): T {
  return current.run(name, work)
}

/** The name of the person who runs an admin command; undefined in the other processes. */
export const currentOperator = (): string | undefined => current.getStore()
