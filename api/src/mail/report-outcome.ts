import type { Outcome, Work } from '../jobs/job.ts'
import type { Log } from '../platform/log.ts'
import { MAIL_OUTCOMES, MailRefused } from './port.ts'
import type { MailOutcome } from './port.ts'

/** The recipient expected the email but does not get it. */
const UNDELIVERED = new Set<string>(['expired', 'refused'])

export interface OutcomeReport {
  log: Log
  count(outcome: MailOutcome | MailRefused['outcome']): void
}

const isMailOutcome = (outcome: Outcome): outcome is MailOutcome =>
  MAIL_OUTCOMES.some((known) => known === outcome)

/** Logs and counts how each mail job ended, so that no email is dropped silently. */
export function reportOutcome(anyWork: Work, { log, count }: OutcomeReport): Work {
  const { job } = anyWork
  const report = (jobId: string, outcome: Parameters<OutcomeReport['count']>[0]) => {
    count(outcome)
    const level = UNDELIVERED.has(outcome) ? 'warn' : 'info'
    log[level]({ job: job.name, jobId }, `mail: ${outcome}`)
  }
  return {
    ...anyWork,
    run: async (data, context) => {
      try {
        const outcome = await anyWork.run(data, context)
        if (isMailOutcome(outcome)) report(context.id, outcome)
        return outcome
      } catch (error) {
        if (error instanceof MailRefused) report(context.id, error.outcome)
        throw error
      }
    },
  }
}
