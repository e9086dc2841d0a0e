import type { Page } from '@playwright/test'
import type { AppProcess } from './app-process.ts'

/** What a walk through the screens needs. */
export interface Walk {
  readonly page: Page
  readonly app: AppProcess
  /** Takes the picture of what is in view now, or of the whole page. */
  readonly take: (screen: string, part?: 'view' | 'page') => Promise<void>
}
