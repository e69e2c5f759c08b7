/** The sandbox's scanner, for the tests in `api/src`, which may not import the sandbox. */
export { EICAR, startClamd } from '@guidon/sandbox/clamd'
export type { Clamd } from '@guidon/sandbox/clamd'
