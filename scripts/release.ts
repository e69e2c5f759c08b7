import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * npm run release -- 0.3.0 [--no-image]
 * Gives the version to all packages, makes a section of the changelog from _Unreleased_, commits both, writes the SBOM
 * and the notes to release/, builds the image, and tags the commit. Pushes nothing.
 */

interface Package {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
interface Lock {
  version: string
  packages: Record<string, Package>
}

class Refused extends Error {
  override name = 'Refused'
}

const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
const git = (...args: string[]) => run('git', args)
/** `docker version` fails without a running engine. */
const works = (program: string) => spawnSync(program, ['version']).status === 0

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const writeJson = (file: string, content: object) =>
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)

const numbersOf = (version: string) => version.split('.').map(Number)
function isLater(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)]
  const index = one.findIndex((number, position) => number !== other[position])
  return index !== -1 && one[index]! > other[index]!
}

function notesOf(changelog: string): string {
  const [, notes = ''] = /^## \[Unreleased\]\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? []
  if (!/^- /m.test(notes)) throw new Refused('The section Unreleased of CHANGELOG.md is empty.')
  return notes.trim()
}

function check(version: string, current: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Refused('Usage: npm run release -- <version, such as 0.3.0> [--no-image]')
  }
  if (!isLater(version, current)) throw new Refused(`${version} is not later than ${current}.`)
  if (git('tag', '--list', `v${version}`)) throw new Refused(`The tag v${version} exists.`)
  const changed = git('status', '--porcelain')
  if (changed) throw new Refused(`Commit or remove these files first:\n${changed}`)
}

/** Our packages depend on each other by their exact version. */
function withVersion(one: Package, version: string): Package {
  for (const dependencies of [one.dependencies, one.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) {
      if (name.startsWith('@guidon/')) dependencies![name] = version
    }
  }
  return { ...one, version }
}

function setVersion(version: string, workspaces: readonly string[]): void {
  const lock = readJson('package-lock.json') as Lock
  for (const folder of ['', ...workspaces]) {
    const file = join(folder, 'package.json')
    writeJson(file, withVersion(readJson(file) as Package, version))
    lock.packages[folder] = withVersion(lock.packages[folder]!, version)
  }
  writeJson('package-lock.json', { ...lock, version })
}

/** From the lock file, so that it does not depend on what is installed. */
function writeSbom(file: string): void {
  const options = '--package-lock-only --omit=dev --sbom-format=cyclonedx --sbom-type=application'
  const sbom = JSON.parse(run('npm', ['sbom', ...options.split(' ')])) as {
    metadata: { component: { name: string } }
  }
  // npm takes the name of the folder.
  sbom.metadata.component.name = 'guidon'
  writeJson(file, sbom)
}

function buildImage(version: string): void {
  const labels = {
    title: 'Guidon',
    version,
    revision: git('rev-parse', 'HEAD'),
    created: git('show', '--no-patch', '--format=%cI'),
  }
  const options = [
    ...Object.entries(labels).map(
      ([name, value]) => `--label=org.opencontainers.image.${name}=${value}`,
    ),
    '--file=deploy/Dockerfile',
    `--tag=guidon:${version}`,
    '.',
  ]
  // The OCI format of buildah has no health check.
  if (works('docker')) run('docker', ['build', ...options])
  else if (works('buildah')) run('buildah', ['build', '--format=docker', ...options])
  else return console.log('No image: neither docker nor buildah works here.')
  console.log(`Built the image guidon:${version}.`)
}

function release(version: string, withImage: boolean): void {
  const { version: current, workspaces } = readJson('package.json') as Package & {
    workspaces: string[]
  }
  check(version, current)
  const before = git('rev-parse', 'HEAD')
  try {
    createRelease(version, workspaces, withImage)
  } catch (error) {
    // So that it can be repeated.
    git('reset', '--quiet', '--hard', before)
    throw error
  }
  console.log(`Committed and tagged. Publish it with: git push --follow-tags`)
}

function createRelease(version: string, workspaces: readonly string[], withImage: boolean): void {
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const notes = notesOf(changelog)
  const heading = `## [${version}] - ${new Date().toISOString().slice(0, 10)}`
  writeFileSync(
    'CHANGELOG.md',
    changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n${heading}\n`),
  )
  setVersion(version, workspaces)
  git('commit', '--quiet', '--all', '--message', `release: ${version}`)
  mkdirSync('release', { recursive: true })
  writeFileSync(`release/guidon-${version}.md`, `${notes}\n`)
  writeSbom(`release/guidon-${version}.cdx.json`)
  console.log(`Wrote the notes and the SBOM to release/.`)
  if (withImage) buildImage(version)
  git('tag', '--annotate', `v${version}`, '--message', `Guidon ${version}`)
}

const [version = '', ...options] = process.argv.slice(2)
try {
  release(version, !options.includes('--no-image'))
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
