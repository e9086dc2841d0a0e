import { type Page, expect as playwrightExpect } from '@playwright/test'
import type { AppProcess } from './app-process.ts'

/** Patient: nothing is measured here, and the machine may do other things too. */
export const expect = playwrightExpect.configure({ timeout: 30_000 })

/** What a walk through the screens needs. */
export interface Walk {
  readonly page: Page
  readonly app: AppProcess
  /** Takes the picture of what is in view now, or of the whole page. */
  readonly take: (screen: string, part?: 'view' | 'page') => Promise<void>
}
