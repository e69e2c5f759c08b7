import { CallFailure } from './call-failure.ts'

/** Whether what was asked for does not exist: it was removed, has expired, or never was. */
export const isGone = (error: unknown): error is CallFailure =>
  error instanceof CallFailure && error.status === 404
