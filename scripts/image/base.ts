import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildah } from './buildah.ts'

/** Local replacements for the base images of the Dockerfile, so that no image registry is needed. */
export const BASE_IMAGES = {
  node: 'localhost/guidon-base-node',
  debian: 'localhost/guidon-base-debian',
}

const SUITE = 'bookworm'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const TOOLCHAIN = resolve(import.meta.dirname, '../../.ci/toolchain')

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Creates a Debian image with debootstrap, and a second one with Node and npm, at the same paths as in Node's image. */
export function ensureBaseImages(): 'created' | 'reused' {
  const existing = buildah(['images', '--format', '{{.Name}}']).split('\n')
  if (Object.values(BASE_IMAGES).every((name) => existing.includes(name))) return 'reused'
  const folder = join(homedir(), '.cache/guidon/image-base')
  rmSync(folder, { recursive: true, force: true })
  const debian = join(folder, 'debian')
  mkdirSync(folder, { recursive: true })
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, debian])
  // Use this machine's package sources.
  rmSync(join(debian, 'etc/apt/sources.list'))
  for (const part of ['sources.list', 'sources.list.d', 'apt.conf.d']) {
    const source = join('/etc/apt', part)
    if (existsSync(source)) cpSync(source, join(debian, 'etc/apt', part), { recursive: true })
  }
  rmSync(join(debian, 'var/cache/apt/archives'), { recursive: true })
  rmSync(join(debian, 'var/lib/apt/lists'), { recursive: true })
  importImage(debian, BASE_IMAGES.debian)
  addNode(debian)
  importImage(debian, BASE_IMAGES.node)
  rmSync(folder, { recursive: true })
  return 'created'
}

/** Adds node and npm, with this machine's npm registry and certificates. */
function addNode(root: string): void {
  const version = readFileSync(TOOLCHAIN, 'utf8').match(/^GUIDON_NODE_VERSION=(.+)$/m)?.[1]
  const local = join(root, 'usr/local')
  const lib = join(local, 'lib')
  run('npm', ['install', '--no-save', '--no-audit', '--prefix', lib, `node@${version}`, 'npm@11'])
  cpSync(join(lib, 'node_modules/node/bin/node'), join(local, 'bin/node'), { dereference: true })
  for (const name of readdirSync(join(lib, 'node_modules'))) {
    if (name !== 'npm') rmSync(join(lib, 'node_modules', name), { recursive: true })
  }
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const registry = run('npm', ['config', 'get', 'registry']).trim()
  cpSync(CERTIFICATES, join(root, CERTIFICATES))
  mkdirSync(join(local, 'etc'), { recursive: true })
  writeFileSync(join(local, 'etc/npmrc'), `registry=${registry}\ncafile=${CERTIFICATES}\n`)
}

function importImage(folder: string, name: string): void {
  const container = buildah(['from', 'scratch'])
  try {
    buildah(['add', '--quiet', container, folder, '/'])
    buildah(['commit', '--quiet', container, name])
  } finally {
    buildah(['rm', container])
  }
}
