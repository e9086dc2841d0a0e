import type { Page } from '@playwright/test'
import { loaded, networkRests } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

const devices = [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const

/** Figures and names of the sample data, on whichever screen. */
const ofSample =
  /Priya Sharma|Order status|Welcome new contacts|Order updates|Summer sale|weekend_offer|12,486|94\.2%|8,234|7,234|6,580|Professional|\$99|chaiandco/
const screens = [
  ...['/dashboard', '/analytics', '/conversations', '/contacts', '/broadcasts', '/templates', '/bots', '/workflows'],
  ...['/whatsapp-numbers', '/webhooks'],
  ...['/settings', '/settings?tab=notifications', '/settings?tab=billing', '/settings?tab=billing&plans=1', '/profile'],
]

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await networkRests(page)
  await loaded(page)
}

for (const [device, viewport] of devices) {
  test(`on ${device} the sample plan is named so, and nothing of the sample is left once it is cleared`, async ({
    page,
    account: _account,
  }) => {
    await page.setViewportSize(viewport)
    await test.step('the plan of the sample stands beside the trial that a new workspace is on', async () => {
      await page.goto('/settings?tab=billing')
      const billing = page.getByRole('region', { name: 'Billing' })
      for (const text of ['Professional', 'Sample data', '$99/month'])
        await expect(billing.getByRole('definition').filter({ hasText: text })).toBeVisible()
      await expect(billing.getByText(/This workspace is on the Free Trial, which ends on /)).toBeVisible()
      await expect(page.getByText('7,234 of 10,000 sent')).toBeVisible()
      await expect(page.getByText('7,234 of them are sample data')).toBeVisible()
      await expect(page.getByRole('region', { name: 'Plan', exact: true })).toHaveCount(0)
    })
    await test.step('clearing says what goes', async () => {
      await page.goto('/contacts')
      await page.getByRole('button', { name: 'Clear sample data' }).click()
      const dialog = page.getByRole('dialog', { name: 'Clear sample data?' })
      for (const text of [/numbers, contacts, tags/, /templates, campaigns/, /plan \(Professional/, /bots, workflows/])
        await expect(dialog.getByRole('listitem').filter({ hasText: text })).toBeVisible()
      await dialog.getByRole('button', { name: 'Clear sample data' }).click()
      await expect(page.getByRole('heading', { name: 'No contacts yet' })).toBeVisible()
      await expect(page.getByText('Sample data included.')).toHaveCount(0)
    })
    await test.step('no screen shows any of it', async () => {
      for (const path of screens) {
        await open(page, path)
        await expect(page.locator('main'), path).toBeVisible()
        await expect(page.locator('body'), path).not.toContainText(ofSample)
        await expect(page.getByText(/^Example /), path).toHaveCount(0)
      }
    })
    await test.step('the workspace is on the trial of 14 days', async () => {
      await page.goto('/settings?tab=billing')
      const billing = page.getByRole('region', { name: 'Billing' })
      await expect(billing.getByText('Ends On', { exact: true })).toBeVisible()
      for (const text of ['Free Trial', '₹0/month', '1,000/month'])
        await expect(billing.getByRole('definition').filter({ hasText: text })).toBeVisible()
      await expect(page.getByText('0 of 1,000 sent')).toBeVisible()
    })
  })
}
