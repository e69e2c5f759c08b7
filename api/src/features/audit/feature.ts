import { email } from '@guidon/contract/account'
import * as z from 'zod/mini'
import { auditBy, auditOf, exportLogOf } from '../../db/audit-events.ts'
import type { Actor } from '../../db/audit-events.ts'
import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { parsed, UsageError } from '../../platform/command.ts'
import type { Command } from '../../platform/command.ts'
import { gaugeSource } from '../../platform/gauge.ts'
import { feature } from '../feature.ts'
import type { AdminParts } from '../feature.ts'
import { ARCHIVE_AGE_MONTHS, archiveOldestMonth, verifyArchives } from './archive.ts'
import { verifyChain } from './chain.ts'
import { sealAudit, sealAuditWork } from './seal-job.ts'
import { oldestUnsealedSeconds } from './seals.sql.ts'
import { busiestOfStaff } from './staff-actions.ts'

const services = ({ db, asOwner }: Pick<AdminParts, 'db' | 'asOwner'>) => ({
  audit: {
    verify: () => verifyChain(db),
    verifyArchives: (folder: string) => verifyArchives(db, folder),
    archive: (folder: string) => asOwner((owner) => archiveOldestMonth(owner, folder)),
    eventsOf: (emailOrId: string) => auditOf(db, emailOrId),
    by: (actor: Actor) => auditBy(db, actor),
  },
})

const showAudit: Command<ReturnType<typeof services>> = {
  usage: '[--subject E] [--actor E] [--from FOLDER]',
  help:
    'verifies the audit log against its seals. Fails if a row was changed, removed, added or moved, or if a\n' +
    'seal is forged. --subject lists the events about an account, --actor the actions of an account; name the\n' +
    'account by its email or its id. --actor also takes the name of an operator. --from also verifies the files\n' +
    'that `audit archive` wrote to this folder',
  run: async ({ audit }, { options, path, print, table }) => {
    const emailOrId = z.union([email, z.uuid()])
    const actor = z.string().check(z.minLength(1))
    const input = parsed(
      z.object({
        subject: z.optional(emailOrId),
        actor: z.optional(actor),
        from: z.optional(z.string()),
      }),
      options,
    )
    const show = (events: readonly object[], filter: string) =>
      events.length > 0 ? table(events) : print(`No events ${filter}.`)
    if (input.subject !== undefined) {
      show(await audit.eventsOf(input.subject), `about ${input.subject}`)
    }
    if (input.actor !== undefined) {
      const account = emailOrId.safeParse(input.actor).data
      show(await audit.by({ account, operator: input.actor }), `by ${input.actor}`)
    }
    const { broken, ...report } = await audit.verify()
    table(report)
    if (broken) throw new UsageError(`The audit log does not match its seals: ${broken}.`)
    if (input.from === undefined) return
    const wrong = await audit.verifyArchives(path(input.from))
    if (wrong) throw new UsageError(`The archives of the audit log do not match: ${wrong}.`)
    print('The archives match.')
  },
}

const archiveAudit: Command<ReturnType<typeof services>> = {
  usage: '--out FOLDER',
  help:
    `writes the oldest month of the audit log to a file, verifies the file, and drops the month. The month\n` +
    `must have ended ${ARCHIVE_AGE_MONTHS} months ago. Connects as the owner of the tables, like \`migrate\`. Keep the file: it is\n` +
    'the only copy of these events',
  needsOperator: true,
  run: async ({ audit }, { options, path, table }) => {
    const { out } = parsed(z.object({ out: z.string().check(z.minLength(1)) }), options)
    table(await audit.archive(path(out)))
  },
}

export const audit = feature({
  name: 'audit',
  tables: {
    audit_events: {
      export: 'activity',
      erase: 'kept: under the id of the account, without name or address',
      retention: 'kept: for good, as evidence. Months can be archived to files',
    },
    audit_seals: {
      noPersonalData: 'numbers and hashes of sealed events',
      retention: 'kept: for good, to verify the events',
    },
    audit_epoch: {
      noPersonalData: 'one number, which keeps the order of events after a restore',
      retention: 'kept: for good, to verify the events',
    },
    audit_archives: {
      noPersonalData: 'months and hashes of archived events',
      retention: 'kept: for good, to verify the events',
    },
    audit_sources: {
      export: 'activity',
      erase: 'deleted: by the id of the account',
      // Long enough to notice and investigate a stolen account.
      retention: {
        hours: 90 * DAY_HOURS,
        delete: deleteExpired('audit_sources', { key: ['transaction', 'id'], expiry: 'at' }),
      },
    },
    blocked_tries: {
      noPersonalData: 'counts of refused requests by ids, networks and keyed hashes of addresses',
      retention: 'kept: for some minutes, until their counts are written to audit_events',
    },
  },
  jobs: [sealAudit],
  work: ({ db, log }) => [sealAuditWork(db, log)],
  gauges: ({ db }) => [
    gaugeSource({
      sourceName: 'audit',
      gauges: {
        guidon_audit_unsealed_seconds: 'Age of the oldest audit event that no seal covers',
      },
      read: async () => ({ guidon_audit_unsealed_seconds: await oldestUnsealedSeconds(db) }),
    }),
    gaugeSource({
      sourceName: 'staff',
      gauges: {
        guidon_staff_actions: 'Most actions of one member of staff in the last hour',
      },
      read: async () => {
        const busiest = await busiestOfStaff(db)
        return {
          guidon_staff_actions: busiest.map(({ action, count }) => ({
            labels: { action },
            value: count,
          })),
        }
      },
    }),
  ],
  export: () => ({
    read: async (tx, userId) => ({ activity: await exportLogOf(tx, userId) }),
  }),
  admin: services,
  commands: { audit: showAudit, 'audit archive': archiveAudit },
})
