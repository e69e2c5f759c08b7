import { DOCUMENT_MAX_BYTES } from '@guidon/contract/document-refusals'
import { CrmMismatch, CrmRefused, CrmUnavailable } from '../../crm/port.ts'
import { isScarce } from '../../crm/quota.ts'
import { readMapping } from '../../crm/salesforce/mapping.ts'
import { salesforceCrm } from '../../crm/salesforce/salesforce-crm.ts'
import { FilesRefused, FilesUnavailable } from '../../files/port.ts'
import { salesforceAccess } from '../config/access.ts'
import { openFiles } from '../open-files.ts'
import { inMegabytes, ok, problem, warning } from './finding.ts'
import type { Finding, Subject } from './finding.ts'

const SALESFORCE_PAGE = 'docs/operate/salesforce.md'
/** The codes of a refused token: those of OAuth begin with a lower-case letter, and two are our own. */
const NO_TOKEN = /^[a-z]|^(TOKEN|UNUSABLE_KEY)$/

export const salesforce: Subject = {
  name: 'Salesforce',
  needs: ['SALESFORCE_LOGIN_URL', 'SALESFORCE_CLIENT_ID', 'SALESFORCE_CLIENT_SECRET'],
  check: async ({ config, log }) => {
    const mapping = readMapping(config.SALESFORCE_MAPPING_FILE)
    const crm = salesforceCrm({ ...salesforceAccess(config), mapping, log })
    try {
      const missing = await crm.verify()
      const usage = crm.usage()
      const calls = usage
        ? ` ${usage.used} of ${usage.limit} calls of the last 24 hours are used.`
        : ''
      if (isScarce(usage)) {
        return warning(
          `${calls.trimStart()} Find out what uses them: \`crm status\`, ${SALESFORCE_PAGE}.`,
        )
      }
      if (missing.length > 0) {
        return warning(
          `Left out: ${missing.join('; ')}. Deploy the source in salesforce/, or write null in the mapping file.`,
        )
      }
      return ok(`All mapped fields are readable.${calls}`)
    } catch (error) {
      return crmProblem(error)
    } finally {
      await crm.close()
    }
  },
}

function crmProblem(error: unknown): Finding {
  if (error instanceof CrmMismatch) {
    return problem(
      `${error.mismatches.join('; ')}. Deploy the source in salesforce/, give the permission set Guidon_Integration to the portal's user, or correct the mapping file.`,
    )
  }
  if (error instanceof CrmUnavailable && NO_TOKEN.test(error.code)) {
    return problem(
      `The org refused the login of the portal (${error.code}). Check SALESFORCE_CLIENT_ID and the secret or key: ${SALESFORCE_PAGE}.`,
    )
  }
  if (error instanceof CrmUnavailable || error instanceof CrmRefused) {
    return problem(
      `The org did not respond as expected (${error.code}). Check SALESFORCE_LOGIN_URL, the network, and the status of Salesforce.`,
    )
  }
  throw error
}

const BOX_PAGE = 'docs/operate/box.md'
const BOX_LOW_BYTES = 1_000_000_000

export const box: Subject = {
  name: 'Box',
  needs: [
    'BOX_CLIENT_ID',
    'BOX_CLIENT_SECRET',
    'BOX_ENTERPRISE_ID',
    'BOX_ROOT_FOLDER_ID',
    'BOX_API_URL',
    'BOX_UPLOAD_URL',
    'BOX_SHARE',
    'BOX_VIEWERS',
    'DOCUMENT_VIEWING',
  ],
  check: async ({ config, log }) => {
    await using closing = new AsyncDisposableStack()
    const files = openFiles(closing, config, 'worker', { log })
    try {
      const free = await files.freeBytes()
      if (free === undefined) return ok('The folder is there, and space is unlimited.')
      const space = `${inMegabytes(free)} are free`
      const advice = 'Delete files, or buy more space.'
      if (free < DOCUMENT_MAX_BYTES) return problem(`Box is full: ${space}. ${advice}`)
      if (free < BOX_LOW_BYTES) return warning(`Box is almost full: ${space}. ${advice}`)
      return ok(`The folder is there, and ${space}.`)
    } catch (error) {
      return boxProblem(error)
    }
  },
}

function boxProblem(error: unknown): Finding {
  if (error instanceof FilesRefused && error.code === 'not_found') {
    return problem(
      `The folder of BOX_ROOT_FOLDER_ID does not exist, or is not shared with the application: ${BOX_PAGE}.`,
    )
  }
  if (error instanceof FilesUnavailable && error.code === 'no_access') {
    return problem(
      `Box refused the login of the portal. Check BOX_CLIENT_ID, BOX_CLIENT_SECRET and BOX_ENTERPRISE_ID: ${BOX_PAGE}.`,
    )
  }
  if (error instanceof FilesUnavailable || error instanceof FilesRefused) {
    return problem(
      `Box did not respond as expected (${error.code}). Check the network, and the status of Box.`,
    )
  }
  throw error
}
