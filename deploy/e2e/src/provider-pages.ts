import { expect, type Page } from '@playwright/test'
import { takeShot } from './take-shot.ts'

/** True where the journeys run on a real Keycloak and not on the stand-in; its pages look different. */
export const onKeycloak = process.env['KEYCLOAK'] === 'real'

/** Text at the end of a mailed link: in the stand-in's words, or in Keycloak's. */
const done = /verified|changed|^Done$/

/** Opens a mailed link and presses the one thing on its page: a button, on Keycloak a link that looks like one. */
async function pressMailLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await takeShot(page, 'provider, mailed link')
  await page
    .getByRole('button')
    .or(page.getByRole('link', { name: 'Continue' }))
    .click()
}

/** Opens a verification link and confirms the address. */
export async function confirmAddress(page: Page, link: string): Promise<void> {
  await pressMailLink(page, link)
  await expect(page.getByRole('heading', { name: done })).toBeVisible()
  await takeShot(page, 'provider, email verified')
}

/** Opens a reset link and chooses a new password. Keycloak shows its form only after a page of its own. */
export async function chooseNewPassword(page: Page, link: string, password: string): Promise<void> {
  if (onKeycloak) await pressMailLink(page, link)
  else await page.goto(link)
  await enterNewPassword(page, password)
  await expect(page.getByRole('heading', { name: done })).toBeVisible()
}

/** Fills in the form on which the provider asks for a new password. */
export async function enterNewPassword(page: Page, password: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await takeShot(page, 'provider, new password')
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password)
  await page.locator('button[type=submit]').click()
}

/** Waits for the page on which one chooses who one is at the offline Google. */
export async function expectGoogle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: /Google/ })).toBeVisible()
  await takeShot(page, 'provider, Google')
}

/** Signs in at the offline Google as one of its people: by a press on the stand-in, with a password on Keycloak. */
export async function chooseAtGoogle(page: Page, email: string): Promise<void> {
  await expectGoogle(page)
  if (!onKeycloak) return page.getByRole('button', { name: email }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password (').fill('offline-google')
  await page.getByRole('button', { name: 'Sign in' }).click()
}
