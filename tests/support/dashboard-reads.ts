import { getAppointments } from '@guidon/contract/appointments'
import { getCaseActivity } from '@guidon/contract/case-activity'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getClaims } from '@guidon/contract/claims'
import { getContactRequest } from '@guidon/contract/contact'
import { getDocumentCategories, getDocuments } from '@guidon/contract/documents'
import type { Endpoint } from '@guidon/contract/endpoint'
import { getUserInfo } from '@guidon/contract/profile'
import { getTodo } from '@guidon/contract/todo'

/** What the dashboard of a veteran reads. */
export const DASHBOARD: readonly Endpoint[] = [
  getTodo,
  getClaims,
  getUserInfo,
  getAppointments,
  getCaseManager,
  getContactRequest,
  getDocuments,
  getDocumentCategories,
  getCaseActivity,
]
