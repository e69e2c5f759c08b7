import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    sessions: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '12' },
    'log-level': { type: 'string', default: 'info' },
    dir: { type: 'string' },
  },
})

/** Of what size the run is; the goals are meant for the sizes given here. */
export const options = {
  contacts: Number(values.contacts),
  /** Veterans who are signed in while the reads are measured. */
  sessions: Math.min(Number(values.sessions), Number(values.contacts)),
  rounds: Number(values.rounds),
  logLevel: values['log-level'],
  /** A folder to keep what was loaded in; a second run there measures the reads alone. */
  dir: values.dir,
}
