import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { folderOf, newBox } from '../../support/box.ts'
import { bytesOf, contentFetcher, ownPath, staffPath } from '../../support/content.ts'
import type { ContentUse } from '../../support/content.ts'
import { userIdOf } from '../../support/databases.ts'
import { send } from '../../support/documents.ts'
import { samplePdf, streamOf } from '../../support/files/made-pdf.ts'
import { photo } from '../../support/files/photo.ts'
import { mailbox } from '../../support/mailbox.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { PRINCIPALS } from './matrix.ts'
import type { Principal } from './matrix.ts'
import { principals } from './principals.ts'
import { linkContact } from './valid-requests.ts'
import type { Account } from './valid-requests.ts'

const box = await newBox()
const testApp = await boot({
  environment: { ...box.environment, ...NO_UPLOAD_QUOTA, DOCUMENT_VIEWING: 'on' },
})
const { sql, signedIn, account } = testApp
const callers = principals(testApp)
const get = contentFetcher(testApp.base)

const USES: readonly ContentUse[] = ['view', 'download', 'check']
const MARK = 'Only for its owner and staff'
const markedPdf = () => samplePdf(1, streamOf(`% ${MARK} ${randomUUID()}`))
const jpeg = await photo()
  .withExif({ IFD0: { ImageDescription: MARK } })
  .jpeg()
  .toBuffer()
const page = Buffer.from(`<!doctype html><script>alert('${MARK}')</script>`)

interface Stored {
  id: string
  bytes: Buffer
}

/** Files that wait for Box, and files that Box has: from the portal, and from the CRM. */
async function addDocuments({ email, password }: Account): Promise<Stored[]> {
  const [lastMail] = await mailbox.mailsTo(email, { waitMs: 0 })
  const client = await signedIn({ email, password }, { after: lastMail })
  const userId = await userIdOf(sql, email)
  const contactId = await linkContact(sql, email)
  const folderId = await folderOf(box, sql, userId)
  const sent = markedPdf()
  const { body: waiting } = await send(client, { name: `${randomUUID()}.pdf`, bytes: sent })
  const stored = await Promise.all(
    [markedPdf(), jpeg, page].map(async (bytes) => {
      const { id: boxFileId } = await box.addFile(folderId, randomUUID(), new Uint8Array(bytes))
      const id = `a01${randomUUID().replaceAll('-', '').slice(0, 15)}`
      await sql.query(
        `insert into crm_document (id, modified_at, deleted, contact_id, name, type, box_file_id)
         values ($1, now(), false, $2, 'photo.jpg', 'Letter', $3)`,
        [id, contactId, boxFileId],
      )
      return { id, bytes }
    }),
  )
  const own = markedPdf()
  const { id: boxFileId } = await box.addFile(folderId, randomUUID(), new Uint8Array(own))
  const { rows } = await sql.query<{ id: string }>(
    `insert into documents (user_id, name, type, size, sha256, box_file_id)
     values ($1, 'own.pdf', 'Other', $2, '', $3) returning id`,
    [userId, own.length, boxFileId],
  )
  return [{ id: waiting.id, bytes: sent }, ...stored, { id: rows[0]!.id, bytes: own }]
}

/** The principals that may see a document; every other one must be refused. */
const MAY_SEE: Partial<Record<Principal, 'own' | 'staff'>> = {
  owner: 'own',
  STAFF: 'staff',
  ADMIN: 'staff',
}

function problemsOf(
  response: Response,
  body: Buffer,
  document: Stored,
  allowed: boolean,
  as: ContentUse,
) {
  const { headers, status } = response
  const problems = []
  if (allowed && status !== (as === 'check' ? 204 : 200)) problems.push(`refused with ${status}`)
  if (!allowed && status < 400) problems.push(`allowed with ${status}`)
  const complete = allowed && as !== 'check'
  if (complete && !body.equals(document.bytes)) problems.push('other bytes')
  if (!complete && body.includes(MARK)) problems.push('leaked')
  if (!complete && headers.has('content-disposition')) problems.push('leaked the name')
  if (headers.get('cache-control') !== 'no-store') problems.push('may be cached')
  if (headers.get('x-content-type-options') !== 'nosniff') problems.push('may be sniffed')
  if (!complete) return problems
  const isShown = as === 'view' && document.bytes === jpeg
  const inline = headers.get('content-disposition')?.startsWith('inline')
  if (inline !== isShown) problems.push('shown by the browser instead of saved, or the reverse')
  if (!headers.get('content-security-policy')?.startsWith('sandbox;')) problems.push('no sandbox')
  if (headers.get('cross-origin-resource-policy') !== 'same-origin') problems.push('embeddable')
  return problems
}

const wrong: string[] = []
const counts = { documents: 0, requests: 0, views: 0 }

async function tryAll(principal: Principal): Promise<void> {
  const { client, subject, beforeCall } = await callers[principal]()
  const isStaff = MAY_SEE[principal] === 'staff'
  const veteran = isStaff ? await account() : subject
  const documents = await addDocuments(veteran)
  const userId = await userIdOf(sql, veteran.email)
  counts.documents += documents.length
  await beforeCall()
  for (const document of documents) {
    for (const as of USES) {
      const paths = { own: ownPath(document.id, as), staff: staffPath(userId, document.id, as) }
      for (const [route, path] of Object.entries(paths)) {
        const allowed = MAY_SEE[principal] === route
        const response = await get(client, path)
        const problems = problemsOf(response, await bytesOf(response), document, allowed, as)
        wrong.push(...problems.map((problem) => `${principal}, ${route}, ${as}: ${problem}`))
        counts.requests += 1
        if (allowed && isStaff && as !== 'check') counts.views += 1
      }
    }
  }
}

it('only the owner and staff get the bytes of a document, nothing is cached, and every view by staff is in the audit log', async () => {
  // So that uploads wait for Box.
  await box.fault({ mode: 'hang', path: '/2.0/files/content' })
  for (let round = 0; round < smallOrFull(1, 5); round += 1) {
    for (const principal of PRINCIPALS) await tryAll(principal)
  }
  await box.fault({ mode: 'none' })
  const { rows } = await sql.query<{ logged: number }>(
    `select count(*)::int as logged from audit_events where event = 'document_viewed'`,
  )
  const { logged } = rows[0]!
  figures('viewing', { principals: PRINCIPALS.length, ...counts, logged, wrong: wrong.length })
  headline.sum({
    requests: counts.requests,
    'views by staff': counts.views,
    logged,
    wrong: wrong.length,
  })
  expect(wrong).toEqual([])
  expect(logged).toBe(counts.views)
})
