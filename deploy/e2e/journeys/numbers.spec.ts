import { z } from 'zod'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, focusStays, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const simulatedNumberSchema = z.object({ phoneNumberId: z.string(), accountId: z.string(), accessToken: z.string() })

test('numbers are connected by keyboard, copied, configured and deleted @gate', async ({
  page,
  context,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const national = `98200${String(Date.now()).slice(-5)}`
  const simulatedNumber = simulatedNumberSchema.parse(
    await phones.control('/numbers', { displayNumber: `91${national}` }),
  )
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
    await page.keyboard.type(national)
    await page.keyboard.press('Tab')
    await page.keyboard.type(simulatedNumber.phoneNumberId)
    await page.keyboard.press('Tab')
    await page.keyboard.type(simulatedNumber.accountId)
    await page.keyboard.press('Tab')
    await page.keyboard.type(simulatedNumber.accessToken)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Chai & Co Pune is connected.')).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'Connection of Chai & Co Pune' }).getByText('Failed')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('row', { name: /Chai & Co Pune/ }).getByText('Pending')).toBeVisible()
  })

  await test.step('copy the number', async () => {
    await page
      .getByRole('row', { name: /Pune/ })
      .getByRole('button', { name: 'Copy phone number', exact: true })
      .click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`+91${national}`)
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
})

test('numbers have no axe violation in any state', async ({ page, app, account: _account }) => {
  await page.goto('/whatsapp-numbers')
  await inspect(page, 'numbers')
  await connectPhones(page.request, app)
  await page.goto('/whatsapp-numbers?new=1')
  await inspect(page, 'numbers?new=1')
  await page.goto('/whatsapp-numbers')
  for (const dialog of ['Connection of', 'Configure']) {
    await page
      .getByRole('button', { name: new RegExp(`^${dialog} `) })
      .last()
      .click()
    await inspect(page, `numbers: ${dialog}`)
    await page.keyboard.press('Escape')
  }
})
