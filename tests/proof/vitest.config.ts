import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import api from '../../api/vitest.config.ts'

const SUPPORT = join(import.meta.dirname, '../support')

/** The proofs are not tests of the gate: `npm run prove -- <name>` runs them. */
export default defineConfig({
  test: {
    ...api.test,
    name: 'proof',
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: join(SUPPORT, 'cluster.ts'),
    setupFiles: [join(SUPPORT, 'setup.ts')],
    provide: {
      ...api.test?.provide,
      proof: process.env['PROOF'] === 'full' ? 'full' : 'small',
      control: process.env['PROOF_CONTROL'] ?? '',
    },
  },
})
