import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Many wait for mail, polls and time-outs: a third worker fills the gaps on two cores.
    maxWorkers: 3,
    projects: ['contract', 'api', 'web', 'sandbox', 'scripts'].map(
      (name) => `${name}/vitest.config.ts`,
    ),
  },
})
