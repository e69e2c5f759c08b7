import { join } from 'node:path'
import type { Program } from './stack-process.ts'
import type { StackOptions } from './stack.ts'

/** What lets a stack take its processes from the mounted root of an image, instead of from this folder. */
export function onImage(root: string) {
  return {
    commands: {
      program: [join(import.meta.dirname, 'in-image'), root] as Program,
      scripts: { serve: 'serve', work: 'work', admin: 'admin' },
    } satisfies Pick<StackOptions, 'program' | 'scripts'>,
    /** The image's own places, instead of this folder's. */
    env: {
      BRAND_DIR: '/guidon/brand',
      WEB_DIR: '/guidon/web/dist',
      UPLOAD_DIR: '/tmp/guidon-uploads',
    },
  }
}
