import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { notFound } from '@guidon/contract/refusal'
import { screens } from '@guidon/contract/screens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BrandFolder } from '../platform/brand.ts'
import { newNonce, pageOf, pagePolicy } from './page.ts'
import type { PageSettings } from './page.ts'
import { refuse } from './refuse.ts'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** Best first. The build writes a compressed file with this extension beside each file. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br', isAccepted: /\bbr\b/ },
  { encoding: 'gzip', ending: '.gz', isAccepted: /\bgzip\b/ },
]

interface File {
  etag: string
  headers: Record<string, string>
  body: Buffer
  /** Best first. */
  encoded: { encoding: string; isAccepted: RegExp; body: Buffer }[]
}

function fileOf(name: string, body: Buffer, cache: string): File {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const headers = { 'cache-control': cache, 'content-type': type, etag, vary: 'accept-encoding' }
  return { etag, headers, body, encoded: [] }
}

/** Reads all files into memory, because the app is small and this is several times faster. */
function readWebFiles(folder: string): Map<string, File> {
  const files = new Map<string, File>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || /\.(br|gz|html)$/.test(path)) continue
    const url = `/${relative(folder, path)}`
    // Names below /assets/ contain a hash of the content.
    const cache = url.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, no-cache'
    const file = fileOf(path, readFileSync(path), cache)
    for (const { ending, ...encoding } of ENCODINGS) {
      if (!existsSync(path + ending)) continue
      file.encoded.push({ ...encoding, body: readFileSync(path + ending) })
    }
    files.set(url, file)
  }
  return files
}

const KNOWN_PAGES = new Set<string>(['/', ...Object.values(screens)])
const isKnownPage = (path: string) =>
  KNOWN_PAGES.has(path) || PAGES_BY_ID.some((page) => page === path.slice(0, path.lastIndexOf('/')))
/** Screens with an id behind them. */
const PAGES_BY_ID: readonly string[] = [screens.linksToConfirm]

/** Serves the web app and the brand's files at every path that is not an endpoint. */
export function serveWebApp(
  app: FastifyInstance,
  folder: string,
  { brand, files }: BrandFolder,
  settings: PageSettings,
): void {
  const page = pageOf(readFileSync(join(folder, 'index.html'), 'utf8'), brand, settings)
  const served = readWebFiles(folder)
  for (const [url, body] of files) served.set(url, fileOf(url, body, 'public, max-age=3600'))

  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const file = served.get(path)
    if (file) return sendFile(request, reply, file)
    const isKnown = isKnownPage(path)
    // Known pages are sent to every client: uptime checks and command line tools do not ask for HTML.
    if (!isKnown && !request.headers.accept?.includes('text/html')) throw refuse(notFound)
    const nonce = newNonce()
    return reply
      .status(isKnown ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', pagePolicy(nonce, brand.apiHost))
      .send(page(nonce))
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: File): FastifyReply {
  reply.headers(file.headers)
  if (request.headers['if-none-match']?.includes(file.etag)) {
    return reply.removeHeader('content-type').status(304).send()
  }
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoded = file.encoded.find(({ isAccepted }) => isAccepted.test(accepted))
  if (!encoded) return reply.send(file.body)
  return reply.header('content-encoding', encoded.encoding).send(encoded.body)
}
