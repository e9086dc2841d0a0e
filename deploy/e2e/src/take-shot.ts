import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** Where `npm run shots` wants the pictures; other runs of the journeys take none. */
const folder = process.env['SHOTS_FOLDER']
export const takesShots = folder !== undefined

/** A picture of the whole page, named after its screen, size and theme. */
export async function takeShot(page: Page, screen: string, variant = 'desktop, dark'): Promise<void> {
  if (folder === undefined) return
  const file = `${screen}, ${variant}.png`.replaceAll(/[^\w.]+/g, '-')
  await page.screenshot({ path: join(folder, file), fullPage: true })
}
