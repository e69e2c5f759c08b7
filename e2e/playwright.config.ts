import { defineConfig } from '@playwright/test'

const chromium = {
  browserName: 'chromium' as const,
  launchOptions: {
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    // Without the sandbox, because the gate may run as root; without calls home.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  },
}

export default defineConfig({
  testDir: '.',
  globalSetup: './house/global-setup.ts',
  outputDir: './test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure', locale: 'en-US' },
  projects: [
    {
      name: 'desktop',
      use: { ...chromium, viewport: { width: 1280, height: 900 } },
    },
    {
      name: 'phone',
      testIgnore: 'killed-worker.spec.ts',
      // What does not depend on the size of the screen is walked once.
      grepInvert: /@once/,
      use: { ...chromium, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
})
