import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** Folder in which `npm run shots` wants the pictures; other runs of the journeys take none. */
const folder = process.env['SHOTS_FOLDER']
export const takesShots = folder !== undefined

/** A picture of the whole page, named after its screen, size and theme. */
export async function takeShot(page: Page, screen: string, variant = 'desktop, dark'): Promise<void> {
  if (folder === undefined) return
  const path = join(folder, `${screen}, ${variant}.png`.replaceAll(/[^\w.]+/g, '-'))
  const size = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  // A window as high as the page, so that what sticks to an edge of the window lies where the page ends.
  if (size) await page.setViewportSize({ ...size, height: Math.max(height, size.height) })
  await page.screenshot({ path })
  if (size) await page.setViewportSize(size)
}
