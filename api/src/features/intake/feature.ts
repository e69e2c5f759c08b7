import { feature } from '../feature.ts'
import { intakes, readIntake } from './intake.ts'
import { reencryptIntakes } from './reencrypt.ts'
import { intakeRoutes } from './routes.ts'
import { sendIntakeReceived, sendIntakeReceivedWork } from './send-received.ts'
import { sendIntake } from './send-to-crm.ts'

export const intake = feature({
  name: 'intake',
  tables: {
    intakes: {
      export: 'intake',
      erase: 'cascade',
      retention: 'kept: as long as the account',
    },
  },
  encrypted: { intakes: reencryptIntakes },
  jobs: [sendIntakeReceived],
  serve: (app, parts) => intakeRoutes(app, intakes(parts)),
  work: (parts) => [sendIntakeReceivedWork(parts)],
  crm: ({ sealer }) => ({ intake: sendIntake(sealer) }),
  export: ({ sealer }) => ({
    read: async (tx, userId) => ({ intake: await readIntake(tx, sealer, userId) }),
  }),
})
