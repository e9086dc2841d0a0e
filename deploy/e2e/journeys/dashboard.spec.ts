import { inspect } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

test('the dashboard leads to what it speaks of, and counts what other screens change @gate', async ({
  page,
  viewer: _viewer,
}) => {
  const activity = page.getByRole('region', { name: 'Recent Activity' })
  for (const [text, url, record] of [
    ['Unable to deliver message', /\/conversations\?id=/, page.getByText('Rahul Verma').first()],
    ['Bot resolved a conversation', /\/bots\?bot=/, page.getByRole('heading', { level: 1, name: 'Order status' })],
    ['Campaign completed', /\/broadcasts\?id=/, page.getByRole('heading', { name: 'Summer sale' }).first()],
  ] as const) {
    await activity.getByRole('link', { name: text }).click()
    await expect(page).toHaveURL(url)
    await expect(record).toBeVisible()
    await page.goto('/dashboard')
  }
  for (const [name, url] of [
    [/^Create Campaign/, '/broadcasts?new=1'],
    [/^Configure Bot/, '/bots'],
    [/^Import Contacts/, '/contacts?import=1'],
    [/^View Analytics/, '/analytics'],
  ] as const) {
    await page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name }).click()
    await expect(page).toHaveURL(url)
    await page.goto('/dashboard')
  }
})

test('the dashboard has no axe violation, also where it could not be read', async ({ page, viewer: _viewer }) => {
  await expect(page.getByText(/^As of /)).toBeVisible()
  await inspect(page, 'dashboard')
  await page.route('**/api/dashboard', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 'service_unavailable', message: 'Try again.', requestId: 'request-1' },
    }),
  )
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await inspect(page, 'dashboard-error')
})
