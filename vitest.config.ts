import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['contract', 'api', 'web', 'sandbox', 'scripts'].map(
      (name) => `${name}/vitest.config.ts`,
    ),
  },
})
