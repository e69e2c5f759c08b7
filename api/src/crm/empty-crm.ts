import type { Crm } from './port.ts'

/** A CRM that knows no one, until the provider's own is connected. */
export const emptyCrm: Crm = { findContact: async () => undefined }
