import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { BoxClient } from 'box-node-sdk'
import { inPieces } from '../../platform/in-pieces.ts'
import { FilesRefused, FilesUnavailable } from '../port.ts'
import type { Content } from '../port.ts'
import { streamOf } from './body.ts'
import type { WithToken } from './connect.ts'
import { BoxResponseError } from './response-error.ts'

const PART_TRIES = 3
const COMMIT_TRIES = 5
const USUAL_WAIT_SECONDS = 1
const MAX_WAIT_SECONDS = 10

type Uploads = BoxClient['chunkedUploads']
type Session = Awaited<ReturnType<Uploads['createFileUploadSession']>>
type Part = NonNullable<Awaited<ReturnType<Uploads['uploadFilePart']>>['part']>
type Stored = Awaited<ReturnType<Uploads['createFileUploadSessionCommit']>>

/**
 * Sends the parts one at a time, so that memory holds only one. Returns undefined if the session is gone:
 * an earlier commit may have succeeded although its response was lost.
 */
export async function sendParts(
  withToken: WithToken,
  uploads: Uploads,
  session: Session,
  content: Content,
  ifMatch?: string,
): Promise<Stored> {
  try {
    const parts = await uploadParts(withToken, uploads, session, content)
    const headers = { digest: digest(content.sha1), ...(ifMatch !== undefined && { ifMatch }) }
    return await commit(() =>
      withToken(() => uploads.createFileUploadSessionCommit(session.id!, { parts }, headers)),
    )
  } catch (error) {
    // Without this, Box keeps the parts for a week.
    if (!(error instanceof FilesUnavailable)) {
      await uploads.deleteFileUploadSessionById(session.id!).catch(() => undefined)
    }
    throw error
  }
}

async function uploadParts(
  withToken: WithToken,
  uploads: Uploads,
  session: Session,
  content: Content,
) {
  const sent: Part[] = []
  const fileHash = createHash('sha1')
  let from = 0
  const partSize = Math.min(session.partSize!, content.size)
  for await (const bytes of inPieces(content.open(), partSize)) {
    if (bytes.length !== Math.min(partSize, content.size - from)) throw wrongSize()
    fileHash.update(bytes)
    const headers = {
      digest: digest(createHash('sha1').update(bytes).digest('hex')),
      contentRange: `bytes ${from}-${from + bytes.length - 1}/${content.size}`,
    }
    // Sending a part again is idempotent.
    const { part } = await withRetries(PART_TRIES, () =>
      withToken(() => uploads.uploadFilePart(session.id!, streamOf(bytes), headers)),
    )
    sent.push(part!)
    from += bytes.length
  }
  if (from !== content.size) throw wrongSize()
  if (fileHash.digest('hex') !== content.sha1) throw new FilesRefused('wrong_bytes')
  return sent
}

/** Retries a commit that Box has not finished (202), or whose response was lost. */
async function commit(call: () => Promise<Stored>): Promise<Stored> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withRetries(2, call)
    } catch (error) {
      if (!(error instanceof BoxResponseError)) throw error
      if (error.status === 404) return undefined
      if (error.status !== 202 || tries === COMMIT_TRIES) throw error
      await delay(1000 * waitOf(error))
    }
  }
}

const waitOf = ({ retryAfterSeconds = USUAL_WAIT_SECONDS }: BoxResponseError) =>
  Math.min(retryAfterSeconds, MAX_WAIT_SECONDS)

async function withRetries<Result>(times: number, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (times <= 1 || !isLost(error)) throw error
    return withRetries(times - 1, call)
  }
}

/** A lost connection is retried at once, a timeout is not. */
const isLost = (error: unknown) => error instanceof FilesUnavailable && error.code === 'unreachable'

const wrongSize = () => new FilesRefused('wrong_size')

const digest = (sha1: string) => `sha=${Buffer.from(sha1, 'hex').toString('base64')}`
