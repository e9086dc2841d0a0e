import type { Page, Route } from '@playwright/test'
import { emptyWorkspaces, expect, logIn, logOut, saved, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

/** The network goes away under the next call to this address. */
const dropAt = (page: Page, address: string) =>
  page.route(
    address,
    async (route: Route) => {
      await page.context().setOffline(true)
      await route.continue()
    },
    { times: 1 },
  )

/** The banner; a screen that is still loading says the same below it. */
const offlineNote = (page: Page) =>
  page
    .getByRole('paragraph')
    .filter({ hasText: 'You are offline. Parley will continue as soon as you are back online.' })

test('a network that drops under the sign-in, the sync and a save costs nobody the session or what was typed', async ({
  page,
  context,
  account,
}) => {
  await logOut(page)

  await test.step('under the sign-in: it is said, the form keeps what was typed, the second press signs in', async () => {
    await dropAt(page, '**/auth/token')
    await logIn(page, account)
    await expect(toast(page, 'Parley cannot be reached. Check your connection and try again.')).toBeVisible()
    await expect(offlineNote(page)).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(account.email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(account.password)
    await context.setOffline(false)
    await expect(offlineNote(page)).toBeHidden()
  })

  await test.step('under the sync: the page waits and goes on by itself', async () => {
    await dropAt(page, '**/api/auth/sync')
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect(offlineNote(page)).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('Recent Activity')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('under a save: it is said, the form keeps what was typed, the second press saves', async () => {
    await page.getByRole('link', { name: 'View Profile' }).click()
    await page.getByLabel('Address').fill('Typed once')
    await dropAt(page, '**/api/auth/profile')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Failed to update profile')).toBeVisible()
    await expect(offlineNote(page)).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByLabel('Address')).toHaveValue('Typed once')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(saved(page)).toBeVisible()
  })

  await test.step('under the answer to a save that was stored: saving again is safe', async () => {
    await page.getByLabel('Address').fill('Stored, not heard')
    await page.route(
      '**/api/auth/profile',
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Failed to update profile')).toBeVisible()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(saved(page)).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Address')).toHaveValue('Stored, not heard')
  })
})

test('on a slow line one signs in, finds the dashboard and saves', async ({ page, context, account }) => {
  await logOut(page)
  const devtools = await context.newCDPSession(page)
  // Chromium's own figures for slow 3G.
  const bytesPerSecond = 50_000
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.getByLabel('Email', { exact: true }).fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(toast(page, 'Logged in successfully!')).toBeVisible()
  await expect(page.getByText('Recent Activity')).toBeVisible()
  await page.getByRole('link', { name: 'View Profile' }).click()
  await page.getByLabel('Address').fill('At the end of a long line')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(saved(page)).toBeVisible()
  await expect(page.getByText('Sync failed')).toBeHidden()
})
