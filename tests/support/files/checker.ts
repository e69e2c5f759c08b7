/** The sandbox's checker, for the tests in `api/src`, which may not import the sandbox. */
export { startChecker } from '@guidon/sandbox/checker'
