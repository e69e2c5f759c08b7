import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noSpaceForUploads } from '@guidon/contract/document-refusals'
import { uploadDocument } from '@guidon/contract/documents'
import { expect, it, onTestFinished, vi } from 'vitest'
import { boot } from '../test/boot.ts'
import { samplePdf, streamOf } from '../test/files/made-pdf.ts'
import { figures, fullSizeOnly } from './size.ts'
import { smallDisk } from './small-disk.ts'

const MB = 1_000_000

it(
  'a full upload folder refuses uploads with a message, keeps readiness, and leaves no partial file',
  fullSizeOnly('needs root to mount a small disk'),
  async () => {
    const { path: disk, remove } = smallDisk(160)
    onTestFinished(remove)
    const uploads = join(disk, 'uploads')
    const testApp = await boot({ environment: { UPLOAD_DIR: uploads } })
    const client = await testApp.signedIn(await testApp.account())
    const ready = (status: number) =>
      vi.waitFor(async () => expect((await client.send('GET', '/readyz')).status).toBe(status), {
        timeout: 20_000,
      })
    const send = (name: string) =>
      client.upload(
        uploadDocument,
        { name, bytes: samplePdf(1, streamOf('x'.repeat(5 * MB))) },
        { fields: { documentType: 'Other' } },
      )
    await ready(200)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(158 * MB))
    const refused = await Promise.all(['a.pdf', 'b.pdf', 'c.pdf'].map(send))
    await ready(200)
    const left = readdirSync(uploads)
    const { rows } = await testApp.sql.query('select from uploads union all select from documents')
    rmSync(join(disk, 'filler'))
    const { status } = await send('a.pdf')
    figures('with a full disk', {
      responses: refused.map((response) => response.status).join(' '),
      'partial files': left.length,
      'rows left': rows.length,
      'with free space': status,
    })
    for (const response of refused) {
      expect(response).toMatchObject({ status: 503, body: { message: noSpaceForUploads.message } })
      expect(response.headers.get('retry-after')).toBe('30')
    }
    expect(left).toEqual([])
    expect(rows).toEqual([])
    expect(status).toBe(201)
  },
)
