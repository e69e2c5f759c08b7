/** The scanner of the sandbox, for tests beside the code that it checks. */
export { EICAR, startClamd } from '@guidon/sandbox/clamd'
export type { Clamd } from '@guidon/sandbox/clamd'
