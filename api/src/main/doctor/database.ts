import type { Database } from '../../db/database.ts'
import { partitionState } from '../../db/partitions.ts'
import { MAX_LAG_SECONDS, replicaState } from '../../db/reader.ts'
import { firstOf, missingText, RUN_MIGRATE, schemaState, withDatabase } from '../schema.ts'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'
import { roleState, serverState } from './inspect.sql.ts'

const LOWEST_VERSION = 180_000

export const database: Subject = {
  name: 'database',
  needs: ['DATABASE_URL'],
  check: async (examined) => {
    const { version, versionNumber, isReadOnly } = await withDatabase(examined, serverState)
    const found = `PostgreSQL ${version}`
    if (versionNumber < LOWEST_VERSION) return problem(`${found}. Guidon needs PostgreSQL 18.`)
    if (isReadOnly) {
      return problem(
        `${found} is read-only. Point DATABASE_URL to the primary, or end its recovery.`,
      )
    }
    return ok(`${found} responds and is writable.`)
  },
}

export const replica: Subject = {
  name: 'replica',
  needs: ['DATABASE_READ_URL'],
  check: async ({ config, log }) => {
    const { DATABASE_READ_URL: url } = config
    if (!url) return ok('Not configured: everything is read from the primary.')
    const unused = 'so everything is read from the primary.'
    let state
    try {
      state = await withDatabase({ config: { DATABASE_URL: url }, log }, replicaState, false)
    } catch {
      return warning(`It does not respond, ${unused} Check DATABASE_READ_URL.`)
    }
    if (!state.isStandby) {
      return warning('DATABASE_READ_URL leads to a primary. Point it to a streaming replica.')
    }
    if (state.isDisconnected) return warning(`It receives nothing from the primary, ${unused}`)
    const behind = `${Math.round(state.lagSeconds)} s behind`
    if (state.lagSeconds > MAX_LAG_SECONDS) return warning(`It is ${behind}, ${unused}`)
    return ok(`It responds and is ${behind}.`)
  },
}

export const roles: Subject = {
  name: 'roles',
  needs: ['DATABASE_URL'],
  check: async (examined) => {
    const { isSuperuser, mayChangeAuditLog, missing } = await withDatabase(
      examined,
      roleState,
      false,
    )
    if (missing.length > 0) {
      return problem(`guidon_app lacks ${firstOf(missing)}. Grant it as the owner of the tables.`)
    }
    const advice =
      'Use a login that only has the role guidon_app: docs/operate/deploy.md, "Your own PostgreSQL".'
    if (isSuperuser) return warning(`The login of DATABASE_URL is a superuser. ${advice}`)
    if (mayChangeAuditLog) {
      return warning(`The login of DATABASE_URL may change the audit log. ${advice}`)
    }
    return ok(
      'The login of DATABASE_URL has the role guidon_app, and may not change the audit log.',
    )
  },
}

/** Partitions are created three days ahead. */
const LATE_MS = 48 * 3_600_000

async function latePartitions(db: Database): Promise<string[]> {
  const states = await partitionState(db)
  return states
    .filter(({ until, hasDefaultRows }) => hasDefaultRows || until.getTime() < Date.now() + LATE_MS)
    .map(({ table }) => table)
}

export const migrations: Subject = {
  name: 'migrations',
  needs: ['DATABASE_URL'],
  check: async (examined) => {
    const { missing, newer } = await schemaState(examined.config, examined.log)
    if (missing.length > 0) return problem(`${missingText(missing)}. ${RUN_MIGRATE}`)
    if (newer.length > 0) {
      return warning(
        `A newer release has migrated the database (${newer.join(', ')}). Finish the upgrade, or run the newer version of this command.`,
      )
    }
    const late = await withDatabase(examined, latePartitions)
    if (late.length > 0) {
      return warning(
        `${late.join(' and ')} lack partitions, which a worker creates every hour. Start a worker and check its queue records.partitions, or run \`npm run admin -- migrate\`.`,
      )
    }
    return ok('All migrations of this release are applied.')
  },
}
