import { feature } from '../feature.ts'
import { accounts } from './accounts.ts'
import type { Accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { accountCommands } from './commands.ts'
import { cursors } from './cursor.ts'
import { listing } from './listing.ts'
import { manageAccount } from './manage-account.ts'
import { streamUsers } from './managed-users.sql.ts'
import { manageUsersRoutes } from './routes.ts'
import { sendReactivated, sendReactivatedWork } from './send-reactivated.ts'

export const manageUsers = feature<{ accounts: Accounts }>({
  name: 'manage-users',
  jobs: [sendReactivated],
  serve: (app, parts) => {
    const { db, reader, tokens, copyStreams, replicaStreams = copyStreams } = parts
    manageUsersRoutes(app, {
      listing: listing({
        db,
        reader,
        cursors: cursors(tokens),
        stream: (sorting, gzipped, from) =>
          streamUsers(from === 'replica' ? replicaStreams : copyStreams, sorting, gzipped),
      }),
      manageAccount: manageAccount(parts),
      activity: activity(db),
      hasReplica: reader.hasReplica,
    })
  },
  work: (parts) => [sendReactivatedWork(parts)],
  admin: (parts) => ({ accounts: accounts(parts) }),
  commands: accountCommands,
})
