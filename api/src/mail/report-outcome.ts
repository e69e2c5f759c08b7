import type { Log } from '../http/log.ts'
import type { Work } from '../jobs/job.ts'
import { MailRefused } from './port.ts'
import type { MailOutcome } from './port.ts'

/** Outcomes in which someone who asked for a mail does not get it. */
const UNDELIVERED = new Set<string>(['expired', 'refused'])

export interface OutcomeReport {
  log: Log
  count(outcome: MailOutcome | MailRefused['outcome']): void
}

/** Logs and counts how each mail job ended, so that no mail is dropped unseen. */
export function reportOutcome(mailWork: Work, { log, count }: OutcomeReport): Work {
  const { job } = mailWork
  const report = (jobId: string, outcome: Parameters<OutcomeReport['count']>[0]) => {
    count(outcome)
    const level = UNDELIVERED.has(outcome) ? 'warn' : 'info'
    log[level]({ job: job.name, jobId }, `mail: ${outcome}`)
  }
  return {
    job,
    run: async (data, context) => {
      try {
        const outcome = await mailWork.run(data, context)
        report(context.id, outcome as MailOutcome)
        return outcome
      } catch (error) {
        if (error instanceof MailRefused) report(context.id, error.outcome)
        throw error
      }
    },
  }
}
