import type { Document } from '@guidon/contract/documents'

/** For tests. */
export const uploadedOne: Document = {
  id: 'u1',
  name: 'Service treatment records.pdf',
  type: 'Medical records',
  boxFileId: 'f1',
  lastUploadedDate: '2026-11-03T16:12:00.000Z',
  size: 2_411_724,
  sha256: '3fa9c1d2b04e'.padEnd(64, '0'),
}

export const requestedOne: Document = {
  id: 'r1',
  name: 'DD Form 214',
  type: 'Discharge papers',
  boxFileId: null,
  lastUploadedDate: null,
  size: null,
  sha256: null,
}

export const pdf = (name = 'dd214.pdf'): File =>
  new File(['%PDF-1.7\n'], name, { type: 'application/pdf' })
export const notes = new File(['hello'], 'notes.txt', { type: 'text/plain' })
