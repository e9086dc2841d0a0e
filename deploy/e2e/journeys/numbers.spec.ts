import { callsOfSampleDomains } from '../src/api-calls.ts'
import { inspect } from '../src/inspect.ts'
import { expect, focusStays, test, toast } from './fixtures.ts'

test('numbers are connected by keyboard, copied, configured and deleted', async ({
  page,
  context,
  account: _account,
}) => {
  const calls = callsOfSampleDomains(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])

  await test.step('connect, by keyboard alone', async () => {
    await page.goto('/whatsapp-numbers')
    await page.getByRole('button', { name: 'Add New Number' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Display Name')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter a display name')).toBeVisible()
    await focusStays(page)
    await page.keyboard.type('Chai & Co Pune')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('98200 99999')
    await page.keyboard.press('Tab')
    await page.keyboard.type('109645872319999')
    await page.keyboard.press('Tab')
    await page.keyboard.type('102290129340398')
    await page.keyboard.press('Tab')
    await page.keyboard.type('EAAG-a-token-that-is-long-enough')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Chai & Co Pune is connected.')).toBeVisible()
    await expect(page.getByRole('row', { name: /Chai & Co Pune/ }).getByText('Pending')).toHaveCount(2)
  })

  await test.step('copy the number', async () => {
    await page
      .getByRole('row', { name: /Pune/ })
      .getByRole('button', { name: 'Copy phone number', exact: true })
      .click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('+919820099999')
  })

  await test.step('rename it; unsaved changes are not lost by a slip', async () => {
    await page.getByRole('button', { name: 'Configure Chai & Co Pune' }).click()
    await expect(page).toHaveURL(/configure=/)
    await page.getByLabel('Display Name').fill('Chai & Co Kothrud')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('button', { name: 'Configure Chai & Co Kothrud' })).toBeVisible()
  })

  await test.step('delete it by name', async () => {
    await page.getByRole('button', { name: 'Delete Chai & Co Kothrud' }).click()
    await expect(page.getByText('Delete Chai & Co Kothrud?')).toBeVisible()
    await page.getByRole('button', { name: 'Delete Number' }).click()
    await expect(page.getByRole('button', { name: 'Configure Chai & Co Kothrud' })).toHaveCount(0)
  })

  await test.step('a deep link to nothing has a way back', async () => {
    await page.goto('/whatsapp-numbers?configure=number-99')
    await page.getByRole('button', { name: 'Show all numbers' }).click()
    await expect(page).toHaveURL('/whatsapp-numbers')
  })
  expect(calls).toEqual([])
})

test('numbers have no axe violation in any state', async ({ page, account: _account }) => {
  for (const path of ['', '?new=1', '?configure=number-1', '?state=empty', '?state=error']) {
    await page.goto(`/whatsapp-numbers${path}`)
    await inspect(page, `numbers${path}`)
  }
})
