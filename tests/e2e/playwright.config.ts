import { defineConfig } from '@playwright/test'

const chromium = {
  browserName: 'chromium' as const,
  launchOptions: {
    // Chromium without its window, which takes a third less time than Chromium itself.
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
    // No sandbox, because the gate may run as root; no requests to the browser's vendor.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  },
}
/** Also for the pictures in screens/. */
export const desktop = { ...chromium, viewport: { width: 1280, height: 900 } }
const phone = {
  ...chromium,
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
}

/** A journey that mostly waits for a minute to pass. */
const WAITING = ['resend-code.spec.ts']
/** They mostly wait, too: for files that are sent over a slow connection. */
const SLOW_NETWORK = ['uploads.spec.ts']

export default defineConfig({
  testDir: '.',
  globalSetup: './support/global-setup.ts',
  outputDir: './test-results',
  fullyParallel: true,
  // One more than the gate has cores, because the waiting journey leaves its own idle.
  workers: 3,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Far more than a journey needs on two idle cores: the gate also runs on busy ones.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    // Tracing every journey would add half of the processor time. Repeat a failed one with `--trace=on`.
    trace: 'off',
    screenshot: 'only-on-failure',
    locale: 'en-US',
  },
  projects: [
    { name: 'waiting', testMatch: WAITING, workers: 1, use: desktop },
    { name: 'slow-network', testMatch: SLOW_NETWORK, workers: 1, use: phone },
    {
      name: 'desktop',
      testIgnore: [...WAITING, ...SLOW_NETWORK],
      // Not the journeys for phones only.
      grepInvert: /@phone/,
      workers: 2,
      use: desktop,
    },
    {
      name: 'phone',
      testIgnore: [...WAITING, ...SLOW_NETWORK],
      // Not the journeys whose result does not depend on the size of the screen.
      grepInvert: /@desktop-only/,
      workers: 2,
      use: phone,
    },
  ],
})
