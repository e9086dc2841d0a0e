import { expect, type Page, test } from '@playwright/test'
import { fillProfile, logIn, signUp, toast, verifyByMail } from '../journeys/fixtures.ts'
import { pngPicture } from '../src/picture.ts'
import { chooseAtGoogle } from '../src/provider-pages.ts'

const mailUrl = process.env['COMPOSE_MAIL_URL'] ?? 'http://127.0.0.1:1080'

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
}

test('a person signs up, verifies by mail, completes the profile, signs out and in again', async ({ page }) => {
  const account = await signUp(page)
  await verifyByMail(page, mailUrl, account.email)
  await page.bringToFront()
  await expect(toast(page, 'Email Verified!')).toBeVisible()
  await expect(page).toHaveURL('/profile-setup')
  await fillProfile(page, { first: 'Ann', last: 'Stone' })
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.reload()
  await expect(page.getByText('Ann', { exact: true }).first()).toBeVisible()
  await signOut(page)
  await logIn(page, account)
  await expect(page).toHaveURL('/dashboard')
  await signOut(page)
})

test('a person signs in with Google in a popup, and out', async ({ page, context }) => {
  const photo = { contentType: 'image/png', body: pngPicture(96, 96) }
  await context.route('https://lh3.googleusercontent.com/**', (route) => route.fulfill(photo))
  await page.goto('/login')
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Continue with Google' }).click(),
  ])
  await chooseAtGoogle(popup, 'gwen@gmail.test')
  await expect(page).toHaveURL(/\/(profile-setup|dashboard)$/)
  if (page.url().endsWith('/profile-setup')) {
    await expect(page.getByLabel('First Name')).toHaveValue('Gwen')
    await fillProfile(page, { first: 'Gwen', last: 'Stone' })
    await page.getByRole('button', { name: 'Complete Setup' }).click()
  }
  await expect(page).toHaveURL('/dashboard')
  await signOut(page)
})
