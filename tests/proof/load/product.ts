import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@guidon/sandbox/stack/stack'
import { smallDisk } from '../../support/small-disk.ts'
import { isFullSize } from '../size.ts'

const UPLOAD_DISK_MB = 1_024

export type Product = Awaited<ReturnType<typeof startProduct>>

/** Version 0.1 has the processes one folder higher, and its worker needs the pepper. */
function optionsFor(checkout: string) {
  const main = join(checkout, 'api/src/main')
  const folder = existsSync(main) ? main : join(checkout, 'api/src')
  const pepper = { PASSWORD_PEPPER: randomBytes(32).toString('base64') }
  return {
    scripts: {
      serve: join(folder, 'serve.ts'),
      work: join(folder, 'work.ts'),
      admin: join(folder, 'admin-cli.ts'),
    },
    env: { BRAND_DIR: join(checkout, 'brand'), ...pepper },
    workerEnv: pepper,
  }
}

/** Starts the product as processes, from another checkout if one is given. */
export async function startProduct(parts: AsyncDisposableStack, checkout?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-hostile-'))
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const { env, ...options } = checkout === undefined ? {} : optionsFor(checkout)
  const limits = { CRM_POLL_SECONDS: '3600', ADDRESS_LIMIT_FACTOR: '1' }
  const stack = await startStack({
    dataDir,
    mode: 'test',
    env: { WEB_DIR: '', ...limits, ...uploadDir(parts), ...env },
    ...options,
  })
  parts.defer(() => stack.stop())
  return stack
}

/** As much disk space as the compose file gives. Mounting it needs root, so a small run uses the normal disk. */
function uploadDir(parts: AsyncDisposableStack): { UPLOAD_DIR?: string } {
  if (!isFullSize) return {}
  const disk = smallDisk(UPLOAD_DISK_MB)
  parts.defer(() => disk.remove())
  return { UPLOAD_DIR: join(disk.path, 'uploads') }
}
