import { isDeepStrictEqual } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { takeShot, takesShots } from './take-shot.ts'

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const rulesOfColour = ['color-contrast', 'link-in-text-block']

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

/** Resolves once the screen stands there. On a busy machine the network rests while the app still starts. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toHaveCount(0)
  await expect(page.getByRole('status', { name: 'Loading...' })).toHaveCount(0)
}

/**
 * Runs axe on the page once it has loaded, in both themes and sizes; nothing scrolls sideways down to 320 px. Ends at the size of a
 * desktop. The configuration asks for reduced motion: half faded in, a good text has too little contrast.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.setViewportSize(sizes.desktop)
  await networkRests(page)
  await loaded(page)
  await inspectViews(page, name)
  await page.setViewportSize({ width: 320, height: 700 })
  // A chart follows its container a moment later.
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(sideways, `${name} scrolls sideways at 320 px`).toBeLessThanOrEqual(0)
  await page.setViewportSize(sizes.desktop)
}

/** Runs axe at once on the page as it is, a dialog for example. Ends at the size of a desktop too. */
export async function inspectStanding(page: Page, name: string): Promise<void> {
  await inspectViews(page, name)
  await page.setViewportSize(sizes.desktop)
}

/** Views of which each changes one thing. A theme is colours: the other rules judge the same in both. */
const views = [
  { size: 'desktop', theme: 'dark', rules: undefined },
  { size: 'desktop', theme: 'light', rules: rulesOfColour },
  { size: 'phone', theme: 'light', rules: undefined },
  { size: 'phone', theme: 'dark', rules: rulesOfColour },
] as const

/** Inspects the views; does nothing with `AXE=off`: the gate checks whether screens work, and the proof inspects them. */
async function inspectViews(page: Page, name: string): Promise<void> {
  if (process.env['AXE'] === 'off') return
  for (const { size, theme, rules } of views) {
    if (!isDeepStrictEqual(page.viewportSize(), sizes[size])) {
      await page.setViewportSize(sizes[size])
      // Content that only this size shows may be loading now.
      await networkRests(page)
    }
    await switchTheme(page, theme)
    await takeShot(page, `${name}, ${size}`, theme)
    if (takesShots) continue
    const { violations } = await axe(page, rules).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
    expect(found, [`${name}, ${size}, ${theme}`, ...found].join('; ')).toEqual([])
  }
}

/**
 * Reports only violations in full: finding a selector for each of a thousand good elements takes longer than the rules. Legacy
 * mode means that the one frame there is reports by itself, and not through a second page opened for the purpose.
 */
function axe(page: Page, rules?: readonly string[]): AxeBuilder {
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  return rules ? builder.withRules([...rules]) : builder
}

/** Switches the theme as another tab would, without a reload; resolves once nothing moves any more. */
async function switchTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (newValue) => {
    localStorage.setItem('theme', newValue)
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue }))
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    // A skeleton breathes for as long as it stands.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((animation) => animation.finished))
  }, theme)
}
