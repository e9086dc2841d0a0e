import { createHmac } from 'node:crypto'
import { callsOfSampleDomains } from '../src/api-calls.ts'
import { inspect } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

test('a webhook is created, its test request is signed as a receiver checks it, and it is deleted', async ({
  page,
  viewer: _viewer,
}) => {
  const calls = callsOfSampleDomains(page)
  const secret = 'a secret of some length'

  await test.step('create, by keyboard alone', async () => {
    await page.goto('/webhooks')
    await page.getByRole('button', { name: 'Create New Webhook' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Orders')
    await page.keyboard.press('Tab')
    await page.keyboard.type('http://orders.example/hook')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(page.getByRole('checkbox', { name: 'webhook.error' })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(page.getByText('The address must begin with https://')).toBeVisible()
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://orders.example/hook')
    await page.getByRole('textbox', { name: /^Secret/ }).fill(secret)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Orders is created.')).toBeVisible()
  })

  await test.step('the signature is right, and nothing was sent', async () => {
    await page.getByRole('button', { name: 'Test Orders' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Nothing was sent.')).toBeVisible()
    await expect(dialog.getByRole('combobox', { name: 'Event' })).toBeFocused()
    const headers = dialog.locator('pre').first()
    await expect(headers).toContainText(/X-Parley-Signature-256: sha256=[0-9a-f]{64}/)
    const body = (await dialog.locator('pre').nth(1).textContent()) ?? ''
    await expect(headers).toContainText(createHmac('sha256', secret).update(body).digest('hex'))
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('delete by name', async () => {
    await page.getByRole('button', { name: 'Delete Orders' }).click()
    await page.getByRole('button', { name: 'Delete Webhook' }).click()
    await expect(page.getByRole('button', { name: 'Test Orders' })).toHaveCount(0)
  })
  expect(calls).toEqual([])
})

test('webhooks have no axe violation in any state', async ({ page, viewer: _viewer }) => {
  for (const path of ['', '?new=1', '?test=webhook-1', '?state=empty', '?state=error']) {
    await page.goto(`/webhooks${path}`)
    await inspect(page, `webhooks${path}`)
  }
})
