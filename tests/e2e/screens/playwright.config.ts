import { defineConfig } from '@playwright/test'
import journeys, { desktop } from '../playwright.config.ts'
import type { Fixtures } from '../support/test.ts'

export default defineConfig<Pick<Fixtures, 'failOnLostFocus'>>({
  ...journeys,
  testDir: '.',
  testMatch: '*.pictures.ts',
  globalSetup: '../support/global-setup.ts',
  outputDir: '../test-results/screens',
  workers: 2,
  timeout: 120_000,
  projects: [{ name: 'pictures', use: { ...desktop, failOnLostFocus: false } }],
})
