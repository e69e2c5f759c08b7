import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { pathOf } from '@guidon/contract/endpoint'
import { notFound, wrongRole } from '@guidon/contract/refusal'
import {
  appendToUpload,
  deleteUpload,
  finishUpload,
  getUnfinishedUploads,
  getUploadOffset,
} from '@guidon/contract/resumable-uploads'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { figures } from '../size.ts'
import { addUnfinishedUpload, bodies, HEADERS, idOf } from './valid-requests.ts'

const testApp = await boot()
const { account, withSession, sql } = testApp
const owner = await account()
const id = await addUnfinishedUpload(sql, owner.email)
const ids = {
  "the owner's": id,
  'of no upload': randomUUID(),
  'not an id': "' or 1=1 --",
  'a list': `${id},${id}`,
  "the owner's account": await idOf(sql, owner.email),
}
const endpoints = { getUploadOffset, appendToUpload, deleteUpload, finishUpload }
const bodyOf = bodies(testApp)

it('unfinished uploads by id: another veteran gets the same 404 as for a missing one, staff get 403', async () => {
  const before = await sql.query('select * from unfinished_uploads')
  let cells = 0
  const leaks: object[] = []
  for (const [role, { status, code, message }] of [
    ['USER', notFound],
    ['STAFF', wrongRole],
    ['ADMIN', wrongRole],
  ] as const) {
    const client = await withSession(await account(role))
    for (const [which, uploadId] of Object.entries(ids)) {
      for (const [name, endpoint] of Object.entries(endpoints)) {
        const path = pathOf(endpoint, { id: uploadId })
        const sent = await bodyOf[name]?.(owner)
        const response = await client.send(endpoint.method, path, sent, HEADERS[name])
        // A response to HEAD has no body.
        const body = endpoint.method === 'HEAD' ? '' : { code, message }
        const actual = { status: response.status, body: response.body }
        if (!isDeepStrictEqual(actual, { status, body })) leaks.push({ role, which, name, actual })
        cells += 1
      }
    }
    const listed = await client.call(getUnfinishedUploads, {})
    expect(listed.body).toMatchObject(role === 'USER' ? [] : { code })
  }
  figures('uploads by id', { roles: 3, ids: Object.keys(ids).length, cells, leaks: leaks.length })
  expect(leaks).toEqual([])
  const after = await sql.query('select * from unfinished_uploads')
  expect(after.rows).toEqual(before.rows)
  expect(after.rows).toHaveLength(1)
})
