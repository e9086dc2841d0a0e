import { inspect, networkRests } from '../src/inspect.ts'
import { expect, signUp, test } from './fixtures.ts'

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

test('the signed-in screens have no axe violation', async ({ page, viewer: _viewer }) => {
  for (const path of ['/dashboard', '/profile']) {
    await page.goto(path)
    await inspect(page, path)
  }
})

test('the layout does not jump while the dashboard loads', async ({ page, viewer: _viewer }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { layoutShifts: shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of ['/dashboard', '/profile', '/login', '/']) {
    await page.goto(path)
    await networkRests(page)
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
