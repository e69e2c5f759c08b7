import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'web',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'https://portal.test/' } },
    setupFiles: ['src/test-setup.ts'],
    include: ['**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Loading React and MUI again for each file took more than half of the time.
    isolate: false,
    // Only ends a test that hangs: the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
