import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** A short journey on a stack that runs already, as `docker compose up` starts it. */
export default defineConfig(base, {
  testDir: './compose',
  timeout: 300_000,
  use: { baseURL: process.env['COMPOSE_APP_URL'] ?? 'http://localhost:3000' },
})
