import { inspect, inspectStanding } from '../src/inspect.ts'
import { tabTo } from '../src/tab-to.ts'
import { card, expect, focusStays, test, toast } from './fixtures.ts'

const dayMs = 86_400_000
/** Returns a day in the form of a date field. */
const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

test('a broadcast is planned and scheduled by keyboard alone', async ({ page, account: _account }) => {
  await page.goto('/broadcasts')
  await tabTo(page, 'New Broadcast')
  await page.keyboard.press('Enter')

  await test.step('audience', async () => {
    await expect(page.getByLabel('Campaign name')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter a name')).toBeVisible()
    await expect(page.getByLabel('Campaign name')).toBeFocused()
    await focusStays(page)
    await page.keyboard.type('Spring tea')
    // It is a draft with the first change; the address names it, and the field that is typed in stays.
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/draft=[0-9a-f]{24}/)
    await expect(page.getByLabel('Campaign name')).toBeFocused()
    await tabTo(page, /^All Contacts/)
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(/of \d+ contacts get the message/)).toBeVisible()
    await expect(page.getByText('Left out: opted out of marketing')).toBeVisible()
    await tabTo(page, 'Continue')
    await page.keyboard.press('Enter')
  })

  await test.step('template and its variables', async () => {
    await expect(page).toHaveURL(/step=template/)
    await expect(page.getByRole('heading', { name: 'Template', exact: true })).toBeFocused()
    await expect(page.getByRole('combobox', { name: 'Template', exact: true })).toBeEnabled()
    await page.keyboard.press('Tab')
    await page.keyboard.type('summer')
    await expect(page.getByTitle(/^summer_sale/)).toBeVisible()
    await page.keyboard.press('Enter')
    await tabTo(page, 'Text for {{discount}}')
    await page.keyboard.type('15%')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    // Anyone who opens the address has all of it: after a reload, and on another device.
    await page.reload()
    await expect(page.getByLabel('Text for {{discount}}')).toHaveValue('15%')
    await tabTo(page, 'Text for {{discount}}')
    const message = page.getByRole('figure', { name: 'Preview of the message' })
    await expect(message.getByText('15% off')).toBeVisible()
    await expect(message.getByText(/^Hi \p{L}+, our/u)).toBeVisible()
    await page.keyboard.press('Enter')
  })

  await test.step('schedule, not in the past', async () => {
    await expect(page).toHaveURL(/step=schedule/)
    await tabTo(page, 'Now')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText('India Standard Time (UTC+5:30)')).toBeVisible()
    await page.getByLabel('Date', { exact: true }).fill(dayFromNow(-2))
    await page.getByLabel('Time', { exact: true }).fill('10:00')
    await tabTo(page, 'Continue')
    await page.keyboard.press('Enter')
    await expect(page.getByText('That time has passed: choose a later one')).toBeVisible()
    await page.getByLabel('Date', { exact: true }).fill(dayFromNow(12))
    await expect(page.getByText(/^It starts on .*10:00/)).toBeVisible()
    await tabTo(page, 'Continue')
    await page.keyboard.press('Enter')
  })

  await test.step('going back keeps what was typed, leaving asks nothing', async () => {
    await expect(page).toHaveURL(/step=review/)
    await page.goBack()
    await expect(page).toHaveURL(/step=schedule/)
    await page.goBack()
    await expect(page.getByLabel('Text for {{discount}}')).toHaveValue('15%')
    await page.goForward()
    await expect(page).toHaveURL(/step=schedule/)
    await page.goForward()
    await expect(page.getByText('Ready to send')).toBeVisible()
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('it stands in the list as a draft, and opens where it was left', async () => {
    await page.goto('/broadcasts?status=draft')
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(1)
    await expect(card(page, 'Spring tea').getByText('Segment VIP')).toBeVisible()
    await inspect(page, 'drafts')
    await tabTo(page, 'Continue Spring tea')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/step=review/)
    await expect(page.getByText('Ready to send')).toBeVisible()
    await expect(page.getByText(/[\d,]+ credits/)).toBeVisible()
    await inspect(page, 'review of a draft')
  })

  await test.step('it is scheduled and stands on top', async () => {
    await tabTo(page, 'Schedule campaign')
    await Promise.all([expect(toast(page, 'Spring tea is scheduled')).toBeVisible(), page.keyboard.press('Enter')])
    await expect(page).toHaveURL('/broadcasts')
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Spring tea')
    await expect(card(page, 'Spring tea').getByText(/10:00/)).toBeVisible()
  })

  await test.step('it gets another time', async () => {
    await tabTo(page, 'View Details of Spring tea')
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog', { name: 'Spring tea', exact: true })
    await details.getByRole('button', { name: 'Reschedule' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Reschedule Spring tea' })
    await dialog.getByLabel('Time').fill('11:30')
    await inspectStanding(page, 'another time for a campaign')
    await dialog.getByRole('button', { name: 'Reschedule' }).press('Enter')
    await expect(toast(page, /^Spring tea starts on .*11:30/)).toBeVisible()
    await expect(details.getByText(/11:30/)).toBeVisible()
  })
})

test('a draft that is not wanted is deleted, and comes back by Undo; two people write in one draft', async ({
  page,
  account: _account,
}) => {
  await page.goto('/broadcasts?new=1')
  await page.getByLabel('Campaign name').fill('Winter tea')
  await expect(page).toHaveURL(/draft=[0-9a-f]{24}/)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.getByLabel('Campaign name')).toHaveValue('Winter tea')
  await other.getByRole('radio', { name: /^VIP/ }).check()
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  // The change arrives by itself, and a message says what it was.
  await expect(page.getByRole('radio', { name: /^VIP/ })).toBeChecked()
  await expect(page.getByText(/^Their changes are in the form now/)).toBeVisible()
  await inspectStanding(page, 'draft that somebody else has changed')
  await page.getByRole('button', { name: 'Got it' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await card(page, 'Winter tea').getByRole('button', { name: 'Delete Winter tea' }).click()
  await expect(card(page, 'Winter tea')).toHaveCount(0)
  await expect(other.getByText('Winter tea was deleted')).toBeVisible()
  await other.close()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Winter tea').getByText('Segment VIP')).toBeVisible()
})
