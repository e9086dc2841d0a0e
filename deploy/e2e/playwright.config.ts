import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { chromiumPath } from './src/chromium.ts'

/** Journeys in a real browser against the real stack, started as a user starts it. One worker: they share two cores. */
export default defineConfig({
  testDir: './journeys',
  workers: 1,
  retries: 0,
  // Patient: a machine that does other things too is no fault of the app.
  timeout: 600_000,
  expect: { timeout: 45_000 },
  // PLAYWRIGHT_JUNIT_OUTPUT_FILE names the file where a report is wanted.
  reporter: [['list'], ['junit', { outputFile: 'test-results/report.xml' }]],
  outputDir: './test-results',
  use: {
    // An element to press or fill must appear: without this limit the journey's own would pass first.
    actionTimeout: 90_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // A press may begin on a dialog's button and end beside it while the dialog grows into its place: then it is no click.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs as much as the journey: `--trace on` where one is wanted.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumPath(existsSync) ?? '',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
