import * as z from 'zod/mini'
import type { QueueControl, QueueState } from '../../jobs/queues.ts'
import { parsed, UsageError } from '../../platform/command.ts'
import { gaugeSource } from '../../platform/gauge.ts'
import { feature } from '../feature.ts'

export const queues = feature<{ queues: QueueControl }>({
  name: 'queues',
  gauges: (parts) => [queueGauges(parts.queues)],
  admin: (parts) => ({ queues: parts.queues }),
  commands: {
    jobs: {
      usage: '[--json]',
      help: 'shows each queue: unfinished jobs, failed jobs (`dead`), and email refused by the relay (`refused`)',
      run: async (services, { options, print, table }) => {
        const states = await services.queues.states()
        if (options['json']) print(JSON.stringify({ queues: states }))
        else table(states)
      },
    },
    'send-again': {
      usage: '--queue Q',
      help: 'runs the failed jobs of one queue again',
      needsOperator: true,
      run: async (services, { options, print }) => {
        const { queue } = parsed(z.object({ queue: z.string() }), options)
        const names = (await services.queues.states()).map(({ name }) => name)
        if (!names.includes(queue)) {
          throw new UsageError(`There is no queue ${queue}. The queues are ${names.join(', ')}.`)
        }
        print(`${await services.queues.sendAgain(queue)} jobs of ${queue} will be tried again.`)
      },
    },
  },
})

const queueGauges = (control: QueueControl) =>
  gaugeSource({
    sourceName: 'queues',
    gauges: {
      guidon_queue_unfinished: 'Jobs that are waiting, due for a retry, or running',
      guidon_queue_dead: 'Failed jobs, kept until an operator sends them again',
      guidon_queue_oldest_seconds: 'How long the oldest waiting job has been due',
    },
    read: async () => {
      const states = await control.states('cached')
      const perQueue = (value: (state: QueueState) => number) =>
        states.map((state) => ({ labels: { queue: state.name }, value: value(state) }))
      return {
        guidon_queue_unfinished: perQueue(({ unfinished }) => unfinished),
        guidon_queue_dead: perQueue(({ dead }) => dead),
        guidon_queue_oldest_seconds: perQueue(({ oldestSeconds }) => oldestSeconds),
      }
    },
  })
