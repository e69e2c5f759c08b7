import { DELIVERY_DAYS } from '@guidon/contract/notices'
import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { feature } from '../feature.ts'
import { collectDue, collectWork } from './collect.ts'
import { noticeRecords } from './deliveries.sql.ts'
import { staffDeliveries } from './deliveries.ts'
import { limitTurningOn } from './limit-turning-on.ts'
import { preferences } from './preferences.ts'
import { readReports, readReportsWork } from './read-reports.ts'
import { remind, remindWork } from './remind.ts'
import { noticesRoutes } from './routes.ts'
import { sendNotices, sendNoticesWork } from './send-notices.ts'

/** Longer than an overdue document can wait for its notice, so that none is repeated. */
const NOTICE_DAYS = 180

/** Emails about a veteran's case, and what became of every email to an account. */
export const notices = feature({
  name: 'notices',
  tables: {
    notices: {
      export: 'notices',
      erase: 'cascade',
      retention: {
        hours: NOTICE_DAYS * DAY_HOURS,
        delete: deleteExpired('notices', { expiry: 'created_at' }),
      },
    },
    deliveries: {
      export: 'emails',
      erase: 'cascade',
      retention: {
        hours: DELIVERY_DAYS * DAY_HOURS,
        delete: deleteExpired('deliveries', { expiry: 'queued_at' }),
      },
    },
    notice_preferences: {
      export: 'emailSettings',
      erase: 'cascade',
      retention: 'kept: as long as the account',
    },
  },
  jobs: [collectDue, remind, sendNotices, readReports],
  serve: (app, { db, tokens }) =>
    noticesRoutes(app, {
      preferences: preferences(db, tokens),
      deliveries: staffDeliveries(db),
      limitTurningOn: limitTurningOn(db, tokens),
    }),
  work: (parts) => [
    collectWork(parts),
    remindWork(parts.db),
    sendNoticesWork(parts),
    readReportsWork(parts),
  ],
  export: () => ({ read: noticeRecords }),
})
