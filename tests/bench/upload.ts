import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { uploadDocument } from '@guidon/contract/documents'
import { startClamd } from '@guidon/sandbox/clamd'
import { processMegabytes } from '@guidon/sandbox/stack/process-memory'
import { Client } from 'pg'
import { startHelper } from '../support/outside/helper-process.ts'
import { median, shuffled } from '../support/outside/statistics.ts'
import type { PipeTask } from './baseline-pipe.ts'
import {
  controlFigure,
  fixed,
  loadFigure,
  printFigures,
  ratioFigure,
  report,
  verdict,
} from './figures.ts'
import { startSignedInStack } from './signed-in-stack.ts'

const MEGABYTE = 1024 * 1024
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const ROUNDS = Number(values.rounds)
/** Of the rate of PostgreSQL alone. */
const MIN_RATIO = 0.6
const MAX_GROWTH_MB = 64
const MEMORY_POLL_MS = 20

const scanner = await switchableScanner()
const stack = await startSignedInStack(1, {
  CLAMD_ADDRESS: scanner.address,
  UPLOADS_A_DAY: '1000000',
  UPLOAD_GIGABYTES_A_DAY: '10000',
})
const agent = new Agent({ keepAlive: true })
const sql = new Client({ connectionString: stack.database })
await sql.connect()
await sql.query(
  `create table baseline_chunks (number integer primary key, bytes bytea not null);
   alter table baseline_chunks alter column bytes set storage external`,
)

/** A valid PDF of any size: one page with random content. */
function pdfOf(bytes: number): Buffer {
  // No byte is zero, because the scanner's proxy recognises the end of a file by zeros.
  const noise = randomBytes(bytes).map((byte) => byte | 1)
  const header = '%PDF-1.7\n'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)
  const head = `${header}${objects.join('')}4 0 obj\n<< /Length ${bytes} >>\nstream\n`
  const offsets = [0, 1, 2, 3].map(
    (index) => header.length + objects.slice(0, index).join('').length,
  )
  const xrefOffset = head.length + bytes + '\nendstream\nendobj\n'.length
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const tail =
    `\nendstream\nendobj\nxref\n0 5\n0000000000 65535 f \n${lines.join('')}` +
    `trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${xrefOffset}\n%%EOF\n`
  return Buffer.concat([Buffer.from(head), noise, Buffer.from(tail)])
}

const small = pdfOf(25 * MEGABYTE)
const large = pdfOf(100 * MEGABYTE - 4096)

function post(url: string, headers: Record<string, string>, parts: Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    const options = { agent, method: 'POST', headers: { ...headers, 'content-length': length } }
    const outgoing = request(url, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    for (const part of parts) outgoing.write(part)
    outgoing.end()
  })
}

function upload(bytes: Buffer): Promise<number> {
  const boundary = randomUUID()
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="documentType"\r\n\r\nOther\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${randomUUID()}.pdf"\r\n` +
    'content-type: application/pdf\r\n\r\n'
  const headers = {
    origin: stack.origin,
    cookie: stack.cookie,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  }
  const url = stack.base + uploadDocument.path
  return post(url, headers, [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** Sends three files at once and then a large one. Returns megabytes a second. */
async function measureRate(
  send: (bytes: Buffer) => Promise<number>,
  expected: number,
): Promise<number> {
  const started = performance.now()
  const statuses = await Promise.all([send(small), send(small), send(small)])
  statuses.push(await send(large))
  if (statuses.some((status) => status !== expected)) {
    throw new Error(`unexpected status among ${statuses.join()}`)
  }
  const bytes = 3 * small.length + large.length
  return (bytes / MEGABYTE / (performance.now() - started)) * 1000
}

/**
 * Stores the same number of bytes with PostgreSQL alone, in rows of a megabyte. Returns megabytes a second, which is an
 * upper bound for uploads.
 */
async function measureStorage(): Promise<number> {
  const started = performance.now()
  const row = large.subarray(0, MEGABYTE)
  const rows = Math.round((3 * small.length + large.length) / MEGABYTE)
  const text = 'insert into baseline_chunks values ($1, $2)'
  await sql.query('begin')
  for (let n = 0; n < rows; n += 1) await sql.query({ name: 'baseline', text, values: [n, row] })
  await sql.query('commit')
  return (rows / (performance.now() - started)) * 1000
}

const apiMegabytes = () => processMegabytes(stack.apiPid())

interface Round {
  ours: number
  scanned: number
  baseline: number
  control: number
  stored: number
}

async function measureRound(): Promise<Round> {
  const pipes = [0, 1].map(() =>
    startHelper<PipeTask, number>(new URL('baseline-pipe.ts', import.meta.url)),
  )
  const [baselinePort, controlPort] = await Promise.all(
    pipes.map((pipe) => pipe.run({ directory: stack.directory })),
  )
  const baseline = (port: number) => () =>
    measureRate((bytes) => post(`http://127.0.0.1:${port}`, {}, [bytes]), 200)
  const measurements = {
    ours: () => {
      scanner.setScanning(false)
      return measureRate(upload, 201)
    },
    scanned: () => {
      scanner.setScanning(true)
      return measureRate(upload, 201)
    },
    baseline: baseline(baselinePort!),
    control: baseline(controlPort!),
    stored: measureStorage,
  }
  const result: Round = { ours: 0, scanned: 0, baseline: 0, control: 0, stored: 0 }
  for (const name of shuffled(Object.keys(measurements) as (keyof Round)[])) {
    result[name] = await measurements[name]()
  }
  for (const pipe of pipes) pipe.stop()
  await sql.query('truncate upload_chunks, baseline_chunks')
  await sql.query('checkpoint')
  return result
}

function roundText(round: Round): string {
  const [ours, scanned, stored] = [round.ours, round.scanned, round.stored].map((rate) =>
    fixed(rate, 0),
  )
  return (
    `MB a second: without scan ${ours}, with scan ${scanned}, PostgreSQL alone ${stored}, ` +
    `ratio without scan ${fixed(round.ours / round.stored)}`
  )
}

const rounds: Round[] = []
let [memoryBefore, memoryPeak] = [0, 0]
try {
  // Warms up the code and the buffers before the memory is measured.
  report(`a round that warms up, ${roundText(await measureRound())}`)
  memoryBefore = apiMegabytes()
  const timer = setInterval(() => {
    memoryPeak = Math.max(memoryPeak, apiMegabytes())
  }, MEMORY_POLL_MS)
  for (let n = 1; n <= ROUNDS; n += 1) {
    rounds.push(await measureRound())
    report(`round ${n} of ${ROUNDS}, ${roundText(rounds.at(-1)!)}`)
  }
  clearInterval(timer)
} finally {
  agent.destroy()
  await sql.end()
  await stack.close()
  await scanner.close()
}

const ratio = ratioFigure(rounds.map(({ ours, baseline }) => ours / baseline))
const scannedRatio = ratioFigure(rounds.map((round) => round.scanned / round.baseline))
const storageRatio = ratioFigure(rounds.map((round) => round.ours / round.stored))
const control = controlFigure(rounds.map((round) => round.control / round.baseline))
const growth = memoryPeak - memoryBefore
const fast = storageRatio.low >= MIN_RATIO
const memoryStable = growth < MAX_GROWTH_MB
const rateOf = (name: keyof Round) => fixed(median(rounds.map((round) => round[name])), 0)
printFigures([
  loadFigure(),
  `three files of 25 MB and one of 100 MB, MB a second (medians of ${ROUNDS} rounds): ` +
    `ours without scan ${rateOf('ours')}, with scan ${rateOf('scanned')}, receiving only ${rateOf('baseline')}, ` +
    `PostgreSQL alone ${rateOf('stored')}`,
  control.text,
  `without scan against PostgreSQL alone: ${storageRatio.text}, goal at least ${MIN_RATIO} at the lower end: ${verdict(fast)}`,
  `without scan against receiving only: ${ratio.text}`,
  `with scan against receiving only: ${scannedRatio.text}`,
  `memory of the API: ${fixed(memoryBefore, 0)} MB before, peak ${fixed(memoryPeak, 0)} MB, ` +
    `growth ${fixed(growth, 0)} MB, goal under ${MAX_GROWTH_MB} MB: ${verdict(memoryStable)}`,
])
process.exitCode = fast && memoryStable && control.valid ? 0 : 1

/** A proxy of clamd that either forwards a scan or reports every file as clean. */
async function switchableScanner() {
  const clamd = await startClamd()
  let scanning = true
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    if (scanning) forward(socket, clamd.address)
    else reportClean(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    setScanning: (on: boolean) => {
      scanning = on
    },
    close: async () => {
      server.close()
      await clamd.close()
    },
  }
}

function forward(socket: Socket, address: string): void {
  const real = connect(address)
  real.on('error', () => socket.destroy())
  socket.pipe(real).pipe(socket)
}

// A stream ends with a chunk of length 0, which is four zero bytes. No file of this bench contains four in a row.
function reportClean(socket: Socket): void {
  socket.on('data', (piece) => {
    if (piece.subarray(-4).every((byte) => byte === 0)) socket.end('stream: OK\0')
  })
}
