import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

it.runIf(isRoot)('files are inspected as nobody if the API runs as root', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guidon-drop-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'upload')
  await writeFile(path, 'bytes', { mode: 0o600 })
  const script = `
    import { openSync, readFileSync } from 'node:fs'
    const { dropPrivileges } = await import(${JSON.stringify(import.meta.resolve('./drop-privileges.ts'))})
    const file = openSync(${JSON.stringify(path)})
    dropPrivileges(file)
    const attempt = (path) => { try { return String(readFileSync(path)) } catch (error) { return error.code } }
    console.log(JSON.stringify({
      uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(),
      byFile: String(readFileSync(file)), byPath: attempt(${JSON.stringify(path)}), shadow: attempt('/etc/shadow'),
    }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
  expect(JSON.parse(stdout)).toEqual({
    uid: 65_534,
    gid: 65_534,
    groups: [65_534],
    byFile: 'bytes',
    byPath: 'EACCES',
    shadow: 'EACCES',
  })
})
