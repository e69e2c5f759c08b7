import type { Box } from '../box/box.ts'
import { SANDBOX_CREDENTIALS } from '../box/box.ts'
import type { Checker } from '../checker.ts'
import type { Clamd } from '../clamd.ts'
import { SANDBOX_CLIENT } from '../salesforce/rest/sessions.ts'
import type { Salesforce } from '../salesforce/salesforce.ts'

/** The product's environment variables for the sandboxes, the scanner and the checker. */
export function sandboxEnvironment(parts: {
  salesforce: Pick<Salesforce, 'url'>
  box: Pick<Box, 'url' | 'uploadUrl'>
  scanner: Pick<Clamd, 'address'>
  checker: Pick<Checker, 'address'>
}) {
  return {
    SALESFORCE_LOGIN_URL: parts.salesforce.url,
    SALESFORCE_CLIENT_ID: SANDBOX_CLIENT.id,
    SALESFORCE_CLIENT_SECRET: SANDBOX_CLIENT.secret,
    BOX_CLIENT_ID: SANDBOX_CREDENTIALS.clientId,
    BOX_CLIENT_SECRET: SANDBOX_CREDENTIALS.clientSecret,
    BOX_ENTERPRISE_ID: SANDBOX_CREDENTIALS.enterpriseId,
    BOX_API_URL: parts.box.url,
    BOX_UPLOAD_URL: parts.box.uploadUrl,
    CLAMD_ADDRESS: parts.scanner.address,
    CHECKER_SOCKETS: parts.checker.address,
  }
}
