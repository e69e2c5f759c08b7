import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { JobMetrics } from '../jobs/queues.ts'
import { MAIL_OUTCOMES } from '../mail/port.ts'
import type { Mail, MailOutcome, MailRefused } from '../mail/port.ts'
import type { Telemetry } from './start-telemetry.ts'

const WAITS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]
const DURATIONS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const MAIL_DELAYS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]

export interface WorkerMetrics {
  jobs: JobMetrics
  /** The same relay, watched. */
  mail<M extends Mail>(relay: M): M
  /** Counts how a mail job ended. */
  mailOutcome(outcome: MailOutcome | MailRefused['outcome']): void
}

/** Jobs, and the mail that some of them send: how late a letter is, only its job knows. */
export function jobMetrics({ meter, tracer }: Pick<Telemetry, 'meter' | 'tracer'>): WorkerMetrics {
  const wait = meter.createHistogram('guidon_job_wait_seconds', {
    description: 'From when a job was due until a worker took it',
    advice: { explicitBucketBoundaries: WAITS },
  })
  const duration = meter.createHistogram('guidon_job_duration_seconds', {
    description: 'How long jobs ran, by how they ended',
    advice: { explicitBucketBoundaries: DURATIONS },
  })
  const delay = meter.createHistogram('guidon_mail_delay_seconds', {
    description: 'From when a letter was due until the relay took it',
    advice: { explicitBucketBoundaries: MAIL_DELAYS },
  })
  const sent = meter.createCounter('guidon_mail_sent_total', {
    description: 'Letters that the relay took',
  })
  const failed = meter.createCounter('guidon_mail_failures_total', {
    description: 'Tries to hand a letter to the relay that failed',
  })
  const outcomes = meter.createCounter('guidon_mail_outcomes_total', {
    description: 'Mail jobs that ended, by outcome: expired and refused ones did not reach anyone',
  })
  // A series that begins at 1 shows no increase.
  for (const outcome of [...MAIL_OUTCOMES, 'refused']) outcomes.add(0, { outcome })
  sent.add(0)
  failed.add(0)
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
          failed.add(1)
          throw error
        }
        sent.add(1)
        const job = running.get(id)
        if (job) delay.record((Date.now() - job.requestedAt.getTime()) / 1000, { queue: job.queue })
      },
    }),
  }
}
