import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { startChecker } from '@guidon/sandbox/checker'
import { startClamd } from '@guidon/sandbox/clamd'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import type { Program } from '@guidon/sandbox/stack/stack-process'
import { afterAll, expect, it } from 'vitest'
import { checkers } from '../../../api/src/files/checks/checkers.ts'
import { reachedIn } from '../../support/attacks/inside-checker.ts'
import type { Targets } from '../../support/attacks/inside-checker.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { connected } from '../../support/databases.ts'
import { hashOf, newFile } from '../../support/documents.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { signIn } from '../../support/sign-in.ts'
import { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const SECRET = 'planted-secret-of-the-portal'
const OWN_UID = 10_002
/** Files that are inspected at the same time, each by code that looks for the others. */
const CONCURRENT_FILES = 3
const ROUNDS = smallOrFull(1, 30)
const RETRY_MS = 250

const ACCOUNT = newAccount()
const folder = mkdtempSync(join(tmpdir(), 'guidon-taken-'))
chmodSync(folder, 0o711)
const clamd = await startClamd()
const pair = await Promise.all([startChecker(), startChecker()])
const stack = await startStack({
  dataDir: join(folder, 'stack'),
  mode: 'test',
  accounts: [ACCOUNT],
  env: {
    WEB_DIR: '',
    CLAMD_ADDRESS: clamd.address,
    CHECKER_SOCKETS: pair.map(({ address }) => address).join(),
    PLANTED: SECRET,
    ...NO_UPLOAD_QUOTA,
  },
})
const sql = await connected(stack.urls.database)
afterAll(async () => {
  await sql.end()
  await stack.stop()
  await Promise.all([clamd, ...pair].map((part) => part.close()))
  rmSync(folder, { recursive: true, force: true })
})

/** As root, the processes of others can use this copy. */
function nodeForAll(): string {
  const copy = join(folder, 'node')
  if (!existsSync(copy)) copyFileSync(process.execPath, copy)
  chmodSync(copy, 0o755)
  return copy
}
const asOwnUser = (...around: string[]): (() => Program) => {
  const user = `--reuid=${OWN_UID} --regid=${OWN_UID} --clear-groups --no-new-privs --bounding-set=-all`
  const [first, ...rest] = [...around, 'setpriv', ...user.split(' ')]
  return () => [first!, ...rest, nodeForAll()]
}

/** How the checker is started. In the last place, only the bounds of an inspection stand between it and the portal. */
const places: [string, () => Program][] = [
  ...(userInfo().uid === 0
    ? ([
        [
          'as in compose',
          asOwnUser('unshare', '--net', '--ipc', '--pid', '--fork', '--mount-proc'),
        ],
        ['in the pod of an API', asOwnUser('unshare', '--ipc', '--pid', '--fork', '--mount-proc')],
      ] satisfies [string, () => Program][])
    : []),
  ['as the same user, without namespaces', () => [process.execPath]],
]

async function attackIn(place: string, program: Program, { isConfined = true } = {}) {
  const own = mkdtempSync(join(folder, 'place-'))
  const secrets = join(own, 'secrets')
  mkdirSync(secrets)
  const files = ['database-url', 'token-key', 'data-keys', 'another-upload'].map((name) => {
    // Readable for everyone, so that only the bounds of the inspection protect them.
    writeFileSync(join(secrets, name), SECRET, { mode: 0o644 })
    return join(secrets, name)
  })
  const stored = readdirSync(join(folder, 'stack'), { withFileTypes: true })
  for (const entry of stored) if (entry.isFile()) files.push(join(folder, 'stack', entry.name))
  const targets: Targets = {
    files,
    pids: [stack.api[0]!.pid!, process.pid],
    near: 12,
    tcp: Number(new URL(stack.urls.database).port),
    udp: Number(new URL(stack.urls.portal).port),
    sockets: [clamd.address, ...pair.map(({ address }) => address)],
    abstractSocket: 'guidon-taken',
    secret: SECRET,
  }
  const targetsFile = join(own, 'targets.json')
  writeFileSync(targetsFile, JSON.stringify(targets))
  chmodSync(own, 0o755)
  const taken = await startChecker({
    program,
    scripts: { checker: join(ROOT, 'tests/proof/security/taken-checker-process.ts') },
    extraArgs: [targetsFile, ...(isConfined ? [] : ['free'])],
    owner: program[0] === process.execPath ? undefined : OWN_UID,
  })
  try {
    const { inspect, bounds } = checkers([taken.address])
    const all = { files: true, connections: true, processes: true, signals: true }
    expect(await bounds()).toEqual([all])
    let attempts = 0
    const reached: string[] = []
    await limitedConcurrency(
      CONCURRENT_FILES * ROUNDS,
      async (index) => {
        const path = join(own, `file-${index}`)
        writeFileSync(path, `%PDF- ${SECRET} of file ${index}`)
        await using file = await open(path)
        const { size } = await file.stat()
        const result = await inspect(file, { kind: 'pdf', size, priority: 0 })
        if ('refusal' in result) throw new Error(result.refusal.code)
        const found = reachedIn(result)
        attempts += found.attempts
        reached.push(...found.reached)
      },
      CONCURRENT_FILES,
    )
    figures(place, { files: CONCURRENT_FILES * ROUNDS, attempts, reached: reached.length })
    return { attempts, reached }
  } finally {
    await taken.close()
  }
}

it.each(places)(
  'code that has taken over an inspection reaches nothing: %s',
  async (place, program) => {
    const { attempts, reached } = await attackIn(place, program())
    headline.sum({
      'attempts inside inspections': attempts,
      'that reached something': reached.length,
    })
    expect(reached).toEqual([])
    expect(attempts).toBeGreaterThan(1_000 * ROUNDS)
  },
)

it('without the bounds, the same code reaches secrets, processes and connections', async () => {
  const { reached } = await attackIn('without bounds', [process.execPath], { isConfined: false })
  const expected = [
    /^read .*token-key/,
    /^environment of/,
    /^signal/,
    /^TCP$/,
    /^UDP$/,
    /clamd\.sock$/,
  ]
  expect(expected.filter((name) => !reached.some((one) => name.test(one)))).toEqual([])
})

it('while checkers are killed, uploads wait, none is lost, and the portal stays ready', async () => {
  const client = await signIn(
    new TestClient(stack.urls.portal, stack.urls.portal),
    ACCOUNT,
    new MailboxClient(stack.urls.mailbox),
  )
  const killing = new AbortController()
  let kills = 0
  const killAll = (async () => {
    while (!killing.signal.aborted) {
      // Every third time, both are dead for a moment.
      const dead = kills % 3 === 2 ? pair : [pair[kills % 2]!]
      await Promise.all(dead.map(({ process }) => process.kill()))
      kills += dead.length
      await Promise.all(dead.map(({ process }) => process.start()))
    }
  })()
  let notReady = 0
  const watching = (async () => {
    while (!killing.signal.aborted) {
      const { ok } = await fetch(`${stack.urls.portal}/readyz`)
      if (!ok) notReady += 1
      await delay(RETRY_MS)
    }
  })()
  const statuses = new Map<number, number>()
  const sent = await limitedConcurrency(
    smallOrFull(20, 400),
    async (index) => {
      const file = newFile(index % 4 === 0 ? 3_000_000 : 50_000)
      // As the browser does: a file that is refused for now is sent again.
      for (;;) {
        const fields = { documentType: 'Other' }
        const { status, body } = await client.upload(uploadDocument, file, { fields })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 201) return { name: file.name, sha256: hashOf(file.bytes) }
        expect({ status, body }).toMatchObject({
          status: 503,
          body: { code: 'cannot_check_files' },
        })
        await delay(RETRY_MS)
      }
    },
    3,
  )
  killing.abort()
  await Promise.all([killAll, watching])
  const { rows } = await sql.query<{ name: string; sha256: string }>(
    `select name, encode(sha256, 'hex') as sha256 from documents`,
  )
  const found = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const lost = sent.filter(({ name, sha256 }) => found.get(name) !== sha256)
  const { body: listed } = await client.call(getDocuments, {})
  figures('killed checkers', {
    kills,
    uploads: sent.length,
    'refused for now': statuses.get(503) ?? 0,
    lost: lost.length,
    'not ready': notReady,
  })
  headline.sum({ 'uploads while checkers are killed': sent.length, lost: lost.length })
  expect(lost).toEqual([])
  expect(rows).toHaveLength(sent.length)
  expect(listed).toHaveLength(sent.length)
  expect(notReady).toBe(0)
  expect(kills).toBeGreaterThan(2)
})
