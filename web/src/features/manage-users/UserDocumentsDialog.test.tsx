import { refusalText } from '@guidon/contract/crm-refusals'
import { getDocumentsOf, type StaffDocument } from '@guidon/contract/documents'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { reply } from '../../../test/test-app.tsx'
import { openDialog, press } from '../../../test/user-dialog.tsx'
import { localDateTime } from '../../ui/dates.ts'

const OF_MARIA = '/salesforce/documents/0035e00001XyAb1'
const nexusLetter: StaffDocument = {
  id: '2',
  name: 'nexus-letter.pdf',
  type: 'Medical',
  boxFileId: '9',
  lastUploadedDate: '2026-10-01T00:00:00Z',
  size: null,
  sha256: null,
  hasScripts: false,
}

it('shows the documents of a user with counts, time, size and links to Salesforce and Box', async () => {
  const requested = {
    ...nexusLetter,
    id: '1',
    name: 'DD-214',
    boxFileId: null,
    lastUploadedDate: null,
  }
  const form = { ...nexusLetter, id: '3', name: 'VA-21-526EZ.pdf', hasScripts: true }
  const notInBoxYet = {
    ...nexusLetter,
    id: '4',
    name: 'pages.pdf',
    boxFileId: '0192aa11-0000-7000-8000-000000000000',
    size: 1536,
    note: 'Page 3',
  }
  const { dialog } = await openDialog('View Documents', 'Maria', {
    replies: { [OF_MARIA]: () => reply(200, [nexusLetter, requested, form, notInBoxYet]) },
  })
  expect(await dialog.findByText('1 requested, 3 uploaded')).toBeVisible()
  const lines = dialog.getAllByRole('listitem').map((line) => line.textContent)
  const when = `Received${localDateTime(nexusLetter.lastUploadedDate!)}`
  expect(lines).toEqual([
    'DD-214Requested · Medical',
    expect.stringMatching(`^nexus-letter.pdfUploaded · Medical${when}BoxOpen file`),
    expect.stringMatching('VA-21-526EZ.pdfUploaded · Medical · Contains form scripts'),
    expect.stringMatching(
      `^pages.pdfUploaded · MedicalNote: Page 3${when}Size1.5 KBBoxOn its way$`,
    ),
  ])
  const addresses = dialog.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(addresses).toEqual([
    'https://crm.example/0035e00001XyAb1',
    'https://box.example/folder/281190442718',
    'https://box.example/file/9',
    'https://box.example/file/9',
  ])
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it.each([
  [{ status: 'inRecords' }, 'Uploaded · In the records · Medical'],
  [{ status: 'reviewed' }, 'Uploaded · Reviewed · Medical'],
  [
    { status: 'notUsable', statusReason: 'It is blurred' },
    'Uploaded · Not usable: It is blurred · Medical',
  ],
  // Only a file of the portal has a hash. It has no status if Box refused it.
  [{ status: null, sha256: 'ab' }, 'Uploaded · Refused by Box · Medical'],
  [{ fileProblem: 'misplaced' }, 'Uploaded · Medical · Not in the Box folder of this veteran'],
  [
    { fileProblem: 'noId', boxFileId: '../9' },
    'Uploaded · Medical · Salesforce has no ID of Box for this file',
  ],
  [
    { status: 'delayed', notInCrm: { why: 'needsLink' } },
    'Uploaded · Not in Salesforce yet · Medical',
  ],
  [
    { status: 'received', notInCrm: { why: 'deleted' } },
    'Uploaded · Deleted in Salesforce · Medical',
  ],
])('shows the status of a file: %j', async (changes, text) => {
  const { dialog } = await openDialog('View Documents', 'Maria', {
    replies: { [OF_MARIA]: () => reply(200, [{ ...nexusLetter, ...changes }]) },
  })
  expect(await dialog.findByRole('listitem')).toHaveTextContent(text)
})

it('says once what Salesforce refused, why, and what to do', async () => {
  const notInCrm = {
    why: 'refused',
    refusal: { kind: 'document', code: 'STRING_TOO_LONG' },
  } as const
  const refused = { ...nexusLetter, status: 'delayed', notInCrm } as const
  const waiting = { ...refused, id: '3', notInCrm: { ...notInCrm, why: 'blocked' } }
  const { dialog } = await openDialog('View Documents', 'Maria', {
    replies: { [OF_MARIA]: () => reply(200, [refused, waiting]) },
  })
  expect(await dialog.findByText(refusalText(notInCrm.refusal))).toBeVisible()
  const lines = dialog.getAllByRole('listitem').map((line) => line.textContent)
  expect(lines).toEqual([
    expect.stringContaining('Refused by Salesforce'),
    expect.stringContaining('Not in Salesforce yet'),
  ])
})

it('says that a user without a Salesforce ID is not linked', async () => {
  const { dialog } = await openDialog('View Documents', 'Linda')
  expect(dialog.getByText(/not linked/)).toBeVisible()
  press('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('shows: Failed to load documents. Please try again later., and loads on Try again', async () => {
  const { dialog, replies } = await openDialog('View Documents', 'Maria', {
    replies: { [OF_MARIA]: () => reply(503, { code: 'unexpected' }) },
  })
  expect(await dialog.findByText(getDocumentsOf.failure)).toBeVisible()
  replies[OF_MARIA] = () => reply(200, [])
  press('Try again to load documents')
  expect(await dialog.findByText('No documents have been shared or requested.')).toBeVisible()
})
