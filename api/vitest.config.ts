import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'api',
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    provide: { poolerProgram: process.env['TEST_POOLER'] ?? '' },
    globalSetup: '../tests/support/cluster.ts',
    setupFiles: ['../tests/support/setup.ts'],
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Loading the modules again for each file took a third of the time.
    isolate: false,
    env: { UV_THREADPOOL_SIZE: String(availableParallelism()) },
    // Only ends a test that hangs: the machine may be busy, and tests check their own limits.
    testTimeout: 300_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
  },
})
