import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'sandbox',
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    testTimeout: 120_000,
    // The first start of PostgreSQL in a new folder creates its cluster.
    hookTimeout: 120_000,
  },
})
