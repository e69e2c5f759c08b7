import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

// Not index.html, which the server fills in for each response.
const COMPRESSIBLE = /\.(?:js|css|svg|json|txt)$/

/** Writes `.br` and `.gz` beside each file at the best ratio, so that the server does not compress per request. */
export function compressedSiblings(): Plugin {
  return {
    name: 'guidon:compress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(names.map((name) => compress(join(dir, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const file = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await Promise.all([
    promisify(brotliCompress)(file, { params }).then((small) => writeFile(`${path}.br`, small)),
    promisify(gzip)(file, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ])
}
