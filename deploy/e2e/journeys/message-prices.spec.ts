import { inspect, inspectStanding } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

/** Begins as Meta's files do. */
const rateCard = `"Cost per message in INR, effective January 1, 2027",,,,,
Market,Currency,Marketing,Utility,Authentication,"Authentication-
International"
India,INR,0.8631,0.1150,0.1150,2.3000
Poland,INR,2.7000,0.9000,0.9000,n/a
United Arab Emirates,INR,3.5000,1.1000,1.1000,3.6000
North America,INR,1.8000,0.2500,0.2500,n/a
Rest of Africa,INR,1.6000,0.2900,0.2900,n/a
Rest of Central & Eastern Europe,INR,6.4000,1.6000,1.6000,n/a
Other,INR,4.4000,0.5700,0.5700,n/a
`

test('prices are read from a rate card and price a campaign, of which a test goes to two contacts before it is sent', async ({
  page,
  account: _account,
}) => {
  await page.goto('/settings?tab=billing')
  const card = page.getByRole('region', { name: 'Message Prices' })
  await expect(card.getByRole('button', { name: 'Read From File' })).toBeEnabled()
  const input = card.getByLabel('Rate card')
  await input.setInputFiles({ name: 'INR rates.csv', mimeType: 'text/csv', buffer: Buffer.from(rateCard) })
  const dialog = page.getByRole('dialog', { name: 'Prices from a file' })
  await expect(dialog.getByRole('row', { name: /^Rest of Africa · 41 countries/ })).toBeVisible()
  await inspectStanding(page, 'prices from a file')
  await dialog.getByRole('button', { name: 'Save Prices' }).click()
  await expect(toast(page, 'The prices take effect')).toBeVisible()
  await expect(card.getByText('Every other country')).toBeVisible()
  await inspect(page, 'billing with a rate card')

  await page.goto('/broadcasts?new=1')
  await page.getByLabel('Campaign name').fill('Tea for friends')
  await page.getByRole('radio', { name: /^VIP/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('combobox', { name: 'Template', exact: true }).click()
  await page.getByTitle(/^summer_sale/).click()
  await page.getByLabel('Text for {{discount}}').fill('15%')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Send from')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/^WhatsApp charges at most ₹/)).toBeVisible()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const test = page.getByRole('dialog', { name: /^Send a test of summer_sale/ })
  const to = test.getByRole('combobox', { name: 'To' })
  for (const name of ['Priya Sharma', 'Rahul Verma']) {
    await to.fill(name)
    await page
      .getByTitle(new RegExp(`^${name}`))
      .first()
      .click()
  }
  await inspectStanding(page, 'test of a campaign')
  await test.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(toast(page, 'Test sent to 2 contacts.')).toBeVisible()
  // The draft is as it was.
  await expect(page.getByText('Ready to send')).toBeVisible()
})
