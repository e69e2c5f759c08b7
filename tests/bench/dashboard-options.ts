import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    sessions: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '12' },
    'log-level': { type: 'string', default: 'info' },
    dir: { type: 'string' },
    pooler: { type: 'string' },
  },
})

/** The size of the run; the goals apply to the defaults. */
export const options = {
  contacts: Number(values.contacts),
  /** Veterans who are signed in while the reads are measured. */
  sessions: Math.min(Number(values.sessions), Number(values.contacts)),
  rounds: Number(values.rounds),
  logLevel: values['log-level'],
  /** A data folder that is kept after the run. A second run with it skips the loading. */
  dir: values.dir,
  /** The path of PgBouncer: reads through it are measured beside the others. */
  pooler: values.pooler,
}
