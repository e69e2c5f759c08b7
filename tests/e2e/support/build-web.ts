import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

function newestChangeIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Math.max(
    ...files
      .filter((file) => file.isFile())
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  )
}

/** Builds the web app when the build is missing or older than its sources. */
export function buildWebIfStale(): void {
  const page = join(root, 'web/dist/index.html')
  const sources = ['web/src', 'contract/src'].map((folder) => newestChangeIn(join(root, folder)))
  if (existsSync(page) && statSync(page).mtimeMs > Math.max(...sources)) return
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}
