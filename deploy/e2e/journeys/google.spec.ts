import type { BrowserContext, Page } from '@playwright/test'
import { completeProfileByHttp } from '../src/accounts.ts'
import { pngPicture } from '../src/picture.ts'
import { chooseAtGoogle, expectGoogle, onKeycloak } from '../src/provider-pages.ts'
import { emptyWorkspaces, expect, keepToasts, logIn, logOut, passProvider, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const googleButton = (page: Page) => page.getByRole('button', { name: 'Continue with Google' })

/** Presses the button and waits for the window that it opens. */
async function openPopup(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), googleButton(page).click()])
  return popup
}

const noPopups = (context: BrowserContext) => context.addInitScript(() => Object.assign(window, { open: () => null }))

/** The storages of the page, in which nothing of a finished sign-in may be left. */
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))

const cancelStays = 'Keycloak answers a sign-in that was cancelled at Google with its own sign-in page'

// The offline Google knows three people, and the first journey makes one of them known to Parley.
test.describe.configure({ mode: 'serial' })

test.describe('Google', () => {
  test('a new person signs up in a popup and finds names and photo filled in', async ({ page, app, context }) => {
    const photo = { contentType: 'image/png', body: await pngPicture(96, 96) }
    await context.route('https://lh3.googleusercontent.com/**', (route) => route.fulfill(photo))
    await page.goto('/signup')
    const popup = await openPopup(page)
    await expectGoogle(popup)
    await expect.poll(() => popup.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([500, 600])
    await chooseAtGoogle(popup, 'gwen@gmail.test')
    await expect(page).toHaveURL('/profile-setup')
    await expect.poll(() => popup.isClosed()).toBe(true)
    await expect(page.getByLabel('First Name')).toHaveValue('Gwen')
    await expect(page.getByLabel('Last Name')).toHaveValue('Stone')
    await expect(page.locator('main img').first()).toHaveAttribute('src', /googleusercontent\.com/)
    expect(await stored(page)).not.toMatch(/oidc|eyJ/)
    await completeProfileByHttp(page.request, app)
  })

  test('a known person logs in to the dashboard, and signing up leads there too', async ({ page }) => {
    await page.goto('/login')
    await chooseAtGoogle(await openPopup(page), 'gwen@gmail.test')
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await page.reload()
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/signup')
    await chooseAtGoogle(await openPopup(page), 'gwen@gmail.test')
    await expect(page).toHaveURL('/dashboard')
  })

  test('a blocked popup becomes a redirect, without a word', async ({ page, context }) => {
    await noPopups(context)
    await page.goto('/login')
    await googleButton(page).click()
    await chooseAtGoogle(page, 'gwen@gmail.test')
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    expect(await stored(page)).not.toMatch(/oidc|eyJ/)
    await page.reload()
    await expect(page).toHaveURL('/dashboard')
    await expect(toast(page, 'Logged in successfully!')).toBeHidden()
  })

  test('a redirect from sign-up that is cancelled fails with the words of sign-up', async ({ page, context }) => {
    test.skip(onKeycloak, cancelStays)
    await noPopups(context)
    await page.goto('/signup')
    await googleButton(page).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(toast(page, 'Failed to sign up with Google')).toContainText('Error')
    await expect(page).toHaveURL('/signup')
  })

  test('a redirect from sign-up ends on the profile', async ({ page, context }) => {
    await noPopups(context)
    await page.goto('/signup')
    await googleButton(page).click()
    await chooseAtGoogle(page, 'bob@gmail.test')
    await expect(page).toHaveURL('/profile-setup')
    await expect(page.getByLabel('First Name')).toHaveValue('Bob')
  })

  test('the address of a finished redirect signs nobody in a second time', async ({ page, context, browser }) => {
    await noPopups(context)
    const ends: string[] = []
    page.on('request', (request) => {
      if (/\/login\?code=/.test(request.url())) ends.push(request.url())
    })
    await page.goto('/login')
    await googleButton(page).click()
    await chooseAtGoogle(page, 'gwen@gmail.test')
    await expect(page).toHaveURL('/dashboard')
    expect(ends).toHaveLength(1)
    await page.goto(ends[0] ?? '')
    await expect(page).toHaveURL('/dashboard')

    const strangers = await browser.newContext()
    await keepToasts(strangers)
    const stranger = await strangers.newPage()
    await stranger.goto(ends[0] ?? '')
    await expect(toast(stranger, 'Failed to log in with Google')).toBeVisible()
    await expect(stranger).toHaveURL(/\/login$/)
    await strangers.close()
  })

  test('a popup that is closed is an error, but only after the grace of 8 s', async ({ page }) => {
    await page.goto('/login')
    const popup = await openPopup(page)
    await expectGoogle(popup)
    // Not after it: this process may be held up between the two.
    const closedAt = Date.now()
    await popup.close()
    await expect(toast(page, 'Failed to log in with Google')).toContainText('Error')
    expect(Date.now() - closedAt).toBeGreaterThanOrEqual(8000)
    await expect(page).toHaveURL('/login')
  })

  test('saying no at the provider is the same error, at once', async ({ page }) => {
    test.skip(onKeycloak, cancelStays)
    await page.goto('/signup')
    const popup = await openPopup(page)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect(toast(page, 'Failed to sign up with Google')).toContainText('Error')
    await expect(page).toHaveURL('/signup')
  })

  test('a second popup takes the place of the first and signs in', async ({ page }) => {
    await page.goto('/login')
    const first = await openPopup(page)
    await expectGoogle(first)
    const second = await openPopup(page)
    await expect.poll(() => first.isClosed()).toBe(true)
    await chooseAtGoogle(second, 'gwen@gmail.test')
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('a session that the popup could not report is found by the last look', async ({ page, context }) => {
    await context.route('**/auth/handler.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    await page.goto('/login')
    const popup = await openPopup(page)
    await chooseAtGoogle(popup, 'gwen@gmail.test')
    await popup.waitForURL(/\/auth\/handler/)
    await popup.close()
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })
})

test('a password that is not enough goes on at the provider’s page, with the address filled in', async ({
  page,
  account,
}) => {
  await logOut(page)
  const refused = { status: 400, json: { error: 'interaction_required', error_description: 'It goes on elsewhere.' } }
  await page.route('**/auth/token', (route) => route.fulfill(refused), { times: 1 })
  await logIn(page, account)
  await passProvider(page, account)
  await expect(toast(page, 'Logged in successfully!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})
