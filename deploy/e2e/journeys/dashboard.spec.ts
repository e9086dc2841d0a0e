import { callsOfSampleDomains } from '../src/api-calls.ts'
import { inspect } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

test('the dashboard leads to what it speaks of, and counts what other screens change', async ({
  page,
  viewer: _viewer,
}) => {
  const calls = callsOfSampleDomains(page)
  const activity = page.getByRole('region', { name: 'Recent Activity' })
  for (const [text, url, record] of [
    [
      'Unable to deliver message',
      /\/conversations\?/,
      page
        .getByRole('list', { name: 'Conversations' })
        .getByRole('link', { name: /Rahul Verma/ })
        .first(),
    ],
    ['Bot resolved a conversation', /\/bots\?q=/, page.getByRole('heading', { level: 2, name: 'Order status' })],
    [
      'Campaign completed',
      /\/broadcasts\?/,
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Summer sale', exact: true }) }),
    ],
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
  expect(calls).toEqual([])
})

test('the dashboard has no axe violation in any state', async ({ page, viewer: _viewer }) => {
  for (const path of ['?state=empty', '?state=error', '?state=loading']) {
    await page.goto(`/dashboard${path}`)
    await inspect(page, `dashboard${path}`)
  }
})
