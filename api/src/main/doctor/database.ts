import { roleState, serverState } from '../../db/inspect.ts'
import { firstOf, missingText, RUN_MIGRATE, schemaState, withDatabase } from '../schema.ts'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'

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

export const migrations: Subject = {
  name: 'migrations',
  needs: ['DATABASE_URL'],
  check: async ({ config, log }) => {
    const { missing, newer } = await schemaState(config, log)
    if (missing.length > 0) return problem(`${missingText(missing)}. ${RUN_MIGRATE}`)
    if (newer.length > 0) {
      return warning(
        `A newer release has migrated the database (${newer.join(', ')}). Finish the upgrade, or run the newer version of this command.`,
      )
    }
    return ok('All migrations of this release are applied.')
  },
}
