import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'contract', include: ['**/*.test.ts'], testTimeout: 120_000, isolate: false },
})
