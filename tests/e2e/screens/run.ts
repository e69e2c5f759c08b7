import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { writeAlbum } from './album.ts'
import { PICTURES } from './picture-files.ts'

/**
 * `npm run screens`: takes pictures of every screen, and writes an index.html to look at them.
 * `-- --readme` also renews the pictures of the README. Further arguments choose pictures, as in
 * `npm run screens -- emails -g "sign-in code"`; the other pictures of the last run stay.
 */
const chosen = process.argv.slice(2).filter((argument) => argument !== '--readme')
const readme = process.argv.includes('--readme')
if (chosen.length === 0) rmSync(PICTURES, { recursive: true, force: true })
mkdirSync(PICTURES, { recursive: true })
const { status } = spawnSync(
  'npx',
  ['playwright', 'test', '--config', `${import.meta.dirname}/playwright.config.ts`, ...chosen],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      GUIDON_DEMO_ACCOUNTS: 'yes',
      ...(readme && { GUIDON_README_IMAGES: 'yes' }),
    },
  },
)
console.log(`\nLook at the pictures: ${writeAlbum(PICTURES)}`)
process.exitCode = status ?? 1
