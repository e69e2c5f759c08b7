import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { JobMetrics } from '../jobs/working.ts'
import { concernsRecipient, MAIL_OUTCOMES } from '../mail/port.ts'
import type { Mail, MailOutcome, MailRefused } from '../mail/port.ts'
import type { Telemetry } from './start-telemetry.ts'

const WAIT_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]
const DURATIONS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const MAIL_DELAYS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]

export interface WorkerMetrics {
  jobs: JobMetrics
  /** Wraps the relay to count sent and failed emails. */
  mail<M extends Mail>(relay: M): M
  /** Counts how a mail job ended. */
  mailOutcome(outcome: MailOutcome | MailRefused['outcome']): void
}

/** Metrics of jobs and email. They are together because the delay of an email is measured from its job. */
export function jobMetrics({ meter, tracer }: Pick<Telemetry, 'meter' | 'tracer'>): WorkerMetrics {
  const wait = meter.createHistogram('guidon_job_wait_seconds', {
    description: 'Time from when a job was due until a worker started it',
    advice: { explicitBucketBoundaries: WAIT_BUCKETS },
  })
  const duration = meter.createHistogram('guidon_job_duration_seconds', {
    description: 'How long jobs ran, by outcome',
    advice: { explicitBucketBoundaries: DURATIONS },
  })
  const delay = meter.createHistogram('guidon_mail_delay_seconds', {
    description: 'Time from the request of an email until the relay accepted it',
    advice: { explicitBucketBoundaries: MAIL_DELAYS },
  })
  const sent = meter.createCounter('guidon_mail_sent_total', {
    description: 'Emails that the relay accepted',
  })
  const failed = meter.createCounter('guidon_mail_failures_total', {
    description: 'Failed tries to hand an email to the relay; cause `recipient`: only this address',
  })
  const outcomes = meter.createCounter('guidon_mail_outcomes_total', {
    description: 'Mail jobs by outcome; expired and refused emails reached nobody',
  })
  // Start at 0, because a series that starts at 1 shows no increase.
  for (const outcome of [...MAIL_OUTCOMES, 'refused']) outcomes.add(0, { outcome })
  sent.add(0)
  for (const cause of ['relay', 'recipient']) failed.add(0, { cause })
  const running = new Map<string, { queue: string; requestedAt: Date }>()

  return {
    jobs: {
      begin: ({ id, queue, requestedAt, dueAt }) => {
        const startedAt = Date.now()
        running.set(id, { queue, requestedAt })
        wait.record(Math.max(0, startedAt - dueAt.getTime()) / 1000, { queue })
        return (outcome) => {
          running.delete(id)
          const endedAt = Date.now()
          duration.record((endedAt - startedAt) / 1000, { queue, outcome })
          if (!tracer) return
          const span = tracer.startSpan(queue, {
            kind: SpanKind.CONSUMER,
            root: true,
            startTime: startedAt,
            attributes: { 'messaging.destination.name': queue, 'guidon.job_id': id },
          })
          if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(endedAt)
        }
      },
    },
    mailOutcome: (outcome) => outcomes.add(1, { outcome }),
    mail: (relay) => ({
      ...relay,
      send: async (to, message, id) => {
        try {
          await relay.send(to, message, id)
        } catch (error) {
          failed.add(1, { cause: concernsRecipient(error) ? 'recipient' : 'relay' })
          throw error
        }
        sent.add(1)
        const job = running.get(id)
        if (job) delay.record((Date.now() - job.requestedAt.getTime()) / 1000, { queue: job.queue })
      },
    }),
  }
}
