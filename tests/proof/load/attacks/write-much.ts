import { randomUUID } from 'node:crypto'
import { pathOf } from '@guidon/contract/endpoint'
import { setNoticePreference } from '@guidon/contract/notices'
import {
  appendToUpload,
  createUpload,
  deleteUpload,
  PART_MIN_BYTES,
} from '@guidon/contract/resumable-uploads'
import type { Target } from '../../../support/attacks/target.ts'
import { runTasks } from '../../../support/outside/run-tasks.ts'
import { metadataOf, partHeaders, TUS } from '../../../support/resumable.ts'

/** One account makes the database write as much as it can, in a process of its own that does not distort the figures. */

const MEGABYTE = 1024 * 1024
const LARGEST = 100 * MEGABYTE
const LANES = 3
const PDF_START = Buffer.from('%PDF-1.7\n')

export interface WriteMessage {
  kind: keyof typeof kinds
  target: Target
  durationMs: number
}

export interface Written {
  /** Of the bodies of all requests, also of those that were refused. */
  bytes: number
  /** Requests that succeeded, by what they did. */
  accepted: Record<string, number>
  statuses: Record<number, number>
}

function requests({ base, origin, cookie }: Target) {
  const written: Written = { bytes: 0, accepted: {}, statuses: {} }
  const send = async (
    what: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: Uint8Array<ArrayBuffer>,
  ) => {
    const response = await fetch(base + path, {
      method,
      headers: { origin, cookie, ...headers },
      ...(body && { body }),
    })
    await response.arrayBuffer()
    written.bytes += body?.length ?? 0
    written.statuses[response.status] = (written.statuses[response.status] ?? 0) + 1
    if (response.ok) written.accepted[what] = (written.accepted[what] ?? 0) + 1
    return response
  }
  const create = async () => {
    const metadata = metadataOf({ filename: `${randomUUID()}.pdf`, documentType: 'Other' })
    const headers = { ...TUS, 'upload-length': String(LARGEST), 'upload-metadata': metadata }
    const { headers: answered } = await send('created', 'POST', createUpload.path, headers)
    return answered.get('location')?.split('/').at(-1)
  }
  const part = (id: string, offset: number, bytes: Buffer) => {
    const path = pathOf(appendToUpload, { id })
    return send('parts', 'PATCH', path, partHeaders(offset), new Uint8Array(bytes))
  }
  return { written, send, create, part }
}

const firstPart = (bytes: number) => Buffer.concat([PDF_START, Buffer.alloc(bytes)])

/** Parts of one byte and the smallest that are accepted, in turn, after most of a megabyte. */
async function tinyParts(target: Target, deadline: number): Promise<Written> {
  const { written, create, part } = requests(target)
  const lane = async () => {
    const id = await create()
    if (id === undefined) return
    const first = firstPart(MEGABYTE - 200_000)
    await part(id, 0, first)
    for (let [at, turn] = [first.length, 0]; performance.now() < deadline; turn += 1) {
      const bytes = Buffer.alloc(turn % 2 === 0 ? 1 : PART_MIN_BYTES, 1)
      if ((await part(id, at, bytes)).ok) at += bytes.length
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return written
}

async function createAndDelete(target: Target, deadline: number): Promise<Written> {
  const { written, create, part, send } = requests(target)
  const lane = async () => {
    while (performance.now() < deadline) {
      const id = await create()
      if (id === undefined) continue
      await part(id, 0, firstPart(MEGABYTE))
      await send('deleted', 'DELETE', pathOf(deleteUpload, { id }), TUS)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return written
}

async function switches(target: Target, deadline: number): Promise<Written> {
  const { written, send } = requests(target)
  const headers = { 'content-type': 'application/json' }
  for (let on = false; performance.now() < deadline; on = !on) {
    const body = new TextEncoder().encode(JSON.stringify({ kind: 'claimStep', on }))
    await send('switches', 'PATCH', setNoticePreference.path, headers, body)
  }
  return written
}

const kinds = { 'tiny parts': tinyParts, 'created and deleted': createAndDelete, switches }

runTasks(({ kind, target, durationMs }: WriteMessage) =>
  kinds[kind](target, performance.now() + durationMs),
)
