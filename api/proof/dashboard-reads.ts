import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getContactRequest } from '@guidon/contract/contact'
import { getDocumentCategories, getDocuments } from '@guidon/contract/documents'
import type { Endpoint } from '@guidon/contract/endpoint'
import { getUserInfo } from '@guidon/contract/profile'

/** What the dashboard of a veteran reads. */
export const DASHBOARD: readonly Endpoint[] = [
  getUserInfo,
  getAppointments,
  getCaseManager,
  getContactRequest,
  getDocuments,
  getDocumentCategories,
]
