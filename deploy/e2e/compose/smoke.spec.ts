import { expect, test } from '@playwright/test'
import { fillProfile, logIn, logOut, newEmail, password, signUp, toast, verifyByMail } from '../journeys/fixtures.ts'
import { pngPicture } from '../src/picture.ts'
import { chooseAtGoogle } from '../src/provider-pages.ts'

const appUrl = process.env['COMPOSE_APP_URL'] ?? 'http://localhost:3000'
const mailUrl = process.env['COMPOSE_MAIL_URL'] ?? 'http://127.0.0.1:1080'

test.beforeAll(async ({ request }) => {
  // A Keycloak that has just begun may take longer for its first account and mail than the app waits for it.
  test.setTimeout(300_000)
  await expect(async () => {
    const headers = { origin: appUrl, 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
    const answer = await request.post(`${appUrl}/auth/sign-up`, { headers, data: { email: newEmail(), password } })
    expect(answer.ok(), await answer.text()).toBe(true)
  }).toPass({ timeout: 240_000 })
})

test('a person signs up, verifies by mail, completes the profile, signs out and in again', async ({ page }) => {
  const account = await signUp(page)
  // The page asks every 3 s: it may know, and have said so for its 5 s, before the provider's page is drawn.
  await Promise.all([
    expect(toast(page, 'Email Verified!')).toBeVisible({ timeout: 120_000 }),
    verifyByMail(page, mailUrl, account.email).then(() => page.bringToFront()),
  ])
  await expect(page).toHaveURL('/profile-setup')
  await fillProfile(page, { first: 'Ann', last: 'Stone' })
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.reload()
  await expect(page.getByText('Ann', { exact: true }).first()).toBeVisible()
  await logOut(page)
  await logIn(page, account)
  await expect(page).toHaveURL('/dashboard')
  await logOut(page)
})

test('a person signs in with Google in a popup, and out', async ({ page, context }) => {
  const photo = { contentType: 'image/png', body: await pngPicture(96, 96) }
  await context.route('https://lh3.googleusercontent.com/**', (route) => route.fulfill(photo))
  await page.goto('/login')
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Continue with Google' }).click(),
  ])
  await chooseAtGoogle(popup, 'gwen@gmail.test')
  const setup = page.getByRole('button', { name: 'Complete Setup' })
  // Gwen is known where the journey has walked this stack before.
  await expect(setup.or(page.getByText('Recent Activity'))).toBeVisible()
  if (await setup.isVisible()) {
    await expect(page.getByLabel('First Name')).toHaveValue('Gwen')
    await fillProfile(page, { first: 'Gwen', last: 'Stone' })
    await setup.click()
  }
  await expect(page).toHaveURL('/dashboard')
  await logOut(page)
})
