import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of the built web app. */
export function builtApp(): string {
  const folder = resolve(import.meta.dirname, '../../web/dist')
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error('The web app is not built: npm run build')
  }
  return folder
}
