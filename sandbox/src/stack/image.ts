import { join } from 'node:path'
import type { StackOptions } from './options.ts'
import type { Program } from './stack-process.ts'

/** Options for a stack whose processes run from the mounted root of an image. */
export function onImage(root: string) {
  return {
    commands: {
      program: [join(import.meta.dirname, 'in-image'), root] as Program,
      scripts: { serve: 'serve', work: 'work', admin: 'admin', checker: 'checker' },
    } satisfies Pick<StackOptions, 'program' | 'scripts'>,
    /** The folders inside of the image. */
    env: {
      BRAND_DIR: '/guidon/brand',
      WEB_DIR: '/guidon/web/dist',
      UPLOAD_DIR: '/tmp/guidon-uploads',
    },
  }
}
