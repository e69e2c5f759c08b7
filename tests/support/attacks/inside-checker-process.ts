import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import * as fs from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Targets } from './inside-checker.ts'

/** Tries to reach the targets by itself, by programs that it starts, and by system calls, as injected machine code would. */

const { targets } = globalThis as unknown as { targets: Targets }

/** System calls of x64, and arguments with which each succeeds for a process without bounds. `PID` is another process. */
const CALLS = {
  'socket for TCP': '41, 2, 1, 0',
  'socket for UDP': '41, 2, 2, 0',
  'socket of Unix': '41, 1, 1, 0',
  'socket for packets of any protocol': '41, 16, 3, 0',
  'ring of queued calls': '425, 8, "\\0" x 120',
  'descriptor of a process': '434, PID, 0',
  'trace a process': '101, 0x4206, PID, 0, 0',
  'read the limits of a process': '302, PID, 7, 0, "\\0" x 16',
  'leave the process group': '109, 0, 0',
  'user namespace': '272, 0x10000000',
}

const own = fs.readFileSync('/dev/stdin')
const reached: string[] = []
let attempts = 0
const opens = (path: string, flags: string) => {
  fs.closeSync(fs.openSync(path, flags))
  return true
}
const attempt = (name: string, reach: () => unknown) => {
  attempts += 1
  try {
    if (reach()) reached.push(name)
  } catch {
    // Refused.
  }
}
const attemptLater = async (name: string, reach: (done: (isReached: boolean) => void) => void) => {
  attempts += 1
  const isReached = await new Promise<boolean>((resolve) => {
    setTimeout(resolve, 1_500, false).unref()
    try {
      reach(resolve)
    } catch {
      resolve(false)
    }
  })
  if (isReached) reached.push(name)
}

for (const path of targets.files) {
  attempt(`read ${path}`, () => fs.readFileSync(path).includes(targets.secret))
  attempt(`list ${dirname(path)}`, () => fs.readdirSync(dirname(path)))
  attempt(`open ${path} to write`, () => opens(path, 'r+'))
  attempt(`rename ${path}`, () => {
    fs.renameSync(path, `${path}.stolen`)
    fs.renameSync(`${path}.stolen`, path)
    return true
  })
  attempt(`replace ${path}`, () => {
    fs.symlinkSync('/nowhere', `${path}.link`)
    return true
  })
  attempt(`cat ${path}`, () => spawnSync('cat', [path]).stdout.includes(targets.secret))
}
const near = Array.from(
  { length: 2 * (targets.near ?? 0) + 1 },
  (_, index) => process.pid - (targets.near ?? 0) + index,
)
const others = new Set([process.ppid, 1, ...targets.pids, ...near])
others.delete(process.pid)
for (const pid of others) {
  const proc = `/proc/${pid}`
  attempt(`environment of ${pid}`, () => fs.readFileSync(`${proc}/environ`).length > 0)
  attempt(`memory map of ${pid}`, () => fs.readFileSync(`${proc}/maps`).length > 0)
  attempt(`memory of ${pid}`, () => opens(`${proc}/mem`, 'r'))
  attempt(`descriptors of ${pid}`, () => fs.readdirSync(`${proc}/fd`))
  attempt(`files of ${pid}`, () => fs.readdirSync(`${proc}/root`))
  for (let fd = 0; fd < 64; fd += 1) {
    attempt(`descriptor ${fd} of ${pid}`, () => {
      const opened = fs.openSync(
        `${proc}/fd/${fd}`,
        fs.constants.O_RDONLY | fs.constants.O_NONBLOCK,
      )
      // The ids of its own threads lead to its own file.
      try {
        return fs.fstatSync(opened).isFile() && !fs.readFileSync(opened).equals(own)
      } finally {
        fs.closeSync(opened)
      }
    })
  }
  if (!targets.pids.includes(pid) && pid !== process.ppid) continue
  attempt(`signal ${pid}`, () => process.kill(pid, 0))
  attempt(
    `signal ${pid} by a program`,
    () => spawnSync('sh', ['-c', `kill -0 ${pid}`]).status === 0,
  )
  for (const [name, call] of Object.entries(CALLS)) {
    const code = `exit(syscall(${call.replace('PID', String(pid))}) >= 0 ? 42 : 0)`
    attempt(`${name} (${pid})`, () => spawnSync('perl', ['-e', code]).status === 42)
  }
}
await attemptLater('TCP', (done) =>
  connect(targets.tcp, '127.0.0.1')
    .on('connect', () => done(true))
    .on('error', () => done(false)),
)
await attemptLater('TCP as a server', (done) =>
  createServer()
    .on('error', () => done(false))
    .listen(0, '127.0.0.1', () => done(true)),
)
await attemptLater('UDP', (done) => {
  const socket = createSocket('udp4').on('error', () => done(false))
  socket.send('secret', targets.udp, '127.0.0.1', (error) => done(!error))
})
for (const path of [...targets.sockets, `\0${targets.abstractSocket}`]) {
  await attemptLater(`socket ${path}`, (done) =>
    connect(path)
      .on('connect', () => done(true))
      .on('error', () => done(false)),
  )
}
const shell = (script: string) => spawnSync('bash', ['-c', script]).status === 0
attempt('TCP by a program', () => shell(`exec 3<>/dev/tcp/127.0.0.1/${targets.tcp}`))
attempt('UDP by a program', () => shell(`exec 3<>/dev/udp/127.0.0.1/${targets.udp}`))
attempt('outlive the inspection', () => shell('setsid true'))
attempt('write a file', () => {
  fs.writeFileSync('/tmp/guidon-left-behind', '')
  return true
})
attempt('listed temporary files', () => fs.readdirSync('/tmp'))
attempt('listed processes', () => fs.readdirSync('/proc'))
fs.writeSync(1, 'started\n')
const head = [...Buffer.from(JSON.stringify({ attempts, reached }))]
fs.writeSync(1, `${JSON.stringify({ kind: 'pdf', flags: [], clean: { head, ranges: [] } })}\n`)
// Its connections would keep it running.
process.exit()
