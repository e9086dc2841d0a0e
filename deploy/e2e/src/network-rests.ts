import type { Page } from '@playwright/test'

/**
 * Resolves once nothing more has been loaded for a fifth of a second. The stream of events never ends, so that Playwright's
 * `networkidle` would not come.
 */
export async function networkRests(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(async () => {
    let before = -1
    for (;;) {
      const count = performance.getEntriesByType('resource').length
      if (count === before) return
      before = count
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })
}
