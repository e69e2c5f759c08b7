import { deleteExpired } from '../../../db/retention.ts'
import { feature } from '../../feature.ts'
import { handOffs } from './hand-offs.ts'
import { handOffRoutes } from './routes.ts'

/** Lets a phone without a session send one document for an account: it scans a code that the computer shows. */
export const handOff = feature({
  name: 'hand-off',
  tables: {
    hand_offs: {
      export:
        'not exported: codes that are valid for an hour; files that a phone sent are exported as documents',
      erase: 'cascade',
      retention: {
        hours: 1,
        delete: deleteExpired('hand_offs', { key: ['user_id'], expiry: 'expires_at' }),
      },
    },
  },
  serve: (app, parts) => handOffRoutes(app, handOffs(parts)),
})
