import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, signUp, test } from './fixtures.ts'

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const themes = ['dark', 'light'] as const

/** axe on the page as it stands, in both themes and sizes; nothing scrolls sideways down to 320 px. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const theme of themes) {
    await page.evaluate((value) => localStorage.setItem('theme', value), theme)
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      await page.reload()
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      )
      expect(found, `${name}, ${theme}, ${size}`).toEqual([])
    }
  }
  await page.setViewportSize({ width: 320, height: 700 })
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(sideways, `${name} scrolls sideways at 320 px`).toBeLessThanOrEqual(0)
}

for (const path of ['/', '/login', '/signup', '/forgot-password', '/no-such-page']) {
  test(`${path} has no axe violation`, async ({ page }) => {
    await page.goto(path)
    await inspect(page, path)
  })
}

test('verify-email has no axe violation', async ({ page }) => {
  await signUp(page)
  // Its polling never lets the network fall idle for long, so the page is inspected between two polls.
  await inspect(page, '/verify-email')
})

test('the signed-in screens have no axe violation', async ({ page, account: _account }) => {
  test.setTimeout(120_000)
  for (const path of ['/dashboard', '/profile']) {
    await page.goto(path)
    await inspect(page, path)
  }
})

test('the layout does not jump while the dashboard loads', async ({ page, account: _account }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { layoutShifts: shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of ['/dashboard', '/profile', '/login', '/']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const total = await page.evaluate(() =>
      (Reflect.get(window, 'layoutShifts') as number[]).reduce((sum, value) => sum + value, 0),
    )
    expect(total, path).toBeLessThanOrEqual(0.02)
  }
})

test('sign-in works by keyboard alone', async ({ page, app }) => {
  await page.goto('/login')
  const email = page.getByLabel('Email', { exact: true })
  for (
    let presses = 0;
    presses < 12 && !(await email.evaluate((field) => field === document.activeElement));
    presses++
  ) {
    await page.keyboard.press('Tab')
  }
  await expect(email).toBeFocused()
  await page.keyboard.type('demo@parley.local')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(app.demoPassword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})
