import { numbersApi } from '@parley/contracts/numbers'
import type { Page } from '@playwright/test'
import { callAsPage } from '../src/accounts.ts'
import { findCampaign, readCampaign } from '../src/find-campaign.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { tabTo } from '../src/tab-to.ts'
import { expect, focusStays, test, toast } from './fixtures.ts'

const dayMs = 86_400_000
/** As a field for dates takes it. */
const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

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
    // Whoever opens the address has all of it: after a reload, and on another device.
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
  // It arrives by itself, and what it was is said.
  await expect(page.getByRole('radio', { name: /^VIP/ })).toBeChecked()
  await expect(page.getByText(/^Their changes are in the form now/)).toBeVisible()
  await inspectStanding(page, 'draft that somebody else has changed')
  await page.getByRole('button', { name: 'Got it' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await card(page, 'Winter tea').getByRole('button', { name: 'Delete Winter tea' }).click()
  await expect(card(page, 'Winter tea')).toHaveCount(0)
  await other.getByLabel('Campaign name').fill('Winter tea for two')
  await expect(other.getByText('Winter tea for two was deleted')).toBeVisible()
  await other.close()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Winter tea').getByText('Segment VIP')).toBeVisible()
})

test('details, pause, resume and cancel; the address opens and filters; every state passes inspection', async ({
  page,
  account: _account,
}) => {
  await page.goto('/broadcasts?status=active')
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(3)
  await page.getByRole('button', { name: 'View Details of Cart reminders' }).click()
  const details = page.getByRole('dialog', { name: 'Cart reminders' })
  await expect(details.getByText(/% of sent/)).toBeVisible()
  await details.getByRole('button', { name: 'Pause' }).click()
  await expect(toast(page, 'Cart reminders is paused')).toBeVisible()
  await details.getByRole('button', { name: 'Resume' }).click()
  await expect(details.getByText('Active', { exact: true })).toBeVisible()
  await details.getByRole('button', { name: 'Cancel campaign' }).click()
  await page
    .getByRole('dialog', { name: 'Cancel Cart reminders?' })
    .getByRole('button', { name: 'Cancel campaign' })
    .click()
  await expect(details.getByText('Cancelled')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()

  await page.goto(`/broadcasts?id=${await findCampaign(page, 'Summer sale')}`)
  await expect(page.getByRole('dialog', { name: 'Summer sale' }).getByText(/^\d+ min ago/)).toBeVisible()
  await inspect(page, 'campaign details')
  const sale = page.getByRole('dialog', { name: 'Summer sale' })
  await sale.getByRole('button', { name: /^Failed/ }).click()
  await expect(page).toHaveURL(/recipients=failed/)
  await expect(sale.getByText(/^\d[\d,]* contacts?$/)).toBeVisible()
  await expect(sale.getByRole('listitem').first().getByText('Failed', { exact: true })).toBeVisible()
  await inspect(page, 'campaign recipients')
  await sale.getByRole('button', { name: 'Back to the campaign' }).click()
  await expect(sale.getByRole('button', { name: 'All recipients' })).toBeVisible()
  await page.goto('/broadcasts?id=gone')
  await page.getByRole('button', { name: 'Show all campaigns' }).click()
  await expect(page).toHaveURL('/broadcasts')
  await inspect(page, 'campaigns')
  await page.goto('/broadcasts?new=1&step=review')
  await expect(page.getByRole('heading', { name: 'Audience' })).toBeVisible()
  await inspect(page, 'new broadcast')
})

test('those whom a campaign has failed to reach get the same message once more, and who answers is counted', async ({
  page,
  account: _account,
}) => {
  await page.goto(`/broadcasts?id=${await findCampaign(page, 'Summer sale')}`)
  await page.getByRole('dialog', { name: 'Summer sale' }).getByRole('button', { name: 'Send again to…' }).click()
  await page.getByRole('menuitem', { name: /^Failed/ }).click()
  await expect(page.getByLabel('Campaign name')).toHaveValue('Summer sale again')
  await expect(page.getByText(/of \d+ contacts get the message/)).toBeVisible()
  await inspect(page, 'broadcast that follows another')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('combobox', { name: 'Template', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Send from')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Summer sale: failed')).toBeVisible()
  await expect(page.getByText('Ready to send')).toBeVisible()
  await page.getByRole('button', { name: 'Send now' }).click()
  await card(page, 'Summer sale again')
    .getByRole('button', { name: /^View Details/ })
    .click()
  const again = page.getByRole('dialog', { name: 'Summer sale again' })
  await expect(again.getByText('Summer sale: failed')).toBeVisible()
  await expect(again.getByText('Nothing more will be sent.')).toBeVisible()
  await expect(again.getByRole('button', { name: /^Replied \d+$/ })).toBeVisible()
})

test('on a phone a broadcast is sent at once, followed to single contacts, and paused: by hand, and by itself', async ({
  page,
  app,
  account: _account,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  // The plan of the sample data has no room for all of its contacts.
  await page.goto('/settings?tab=billing&plans=1')
  await page.getByRole('button', { name: 'Choose Growth' }).click()
  await expect(page.getByText('7,234 of 100,000 sent')).toBeVisible()
  await page.goto('/broadcasts')
  await page.getByRole('button', { name: 'New Broadcast' }).click()
  await page.getByLabel('Campaign name').fill('Tea from the sofa')
  // So many that they are under way until the pause.
  await page.getByRole('radio', { name: /^All Contacts/ }).check()
  await expect(page.getByText(/of [\d,]+ contacts get the message/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('combobox', { name: 'Template', exact: true }).click()
  await page.getByTitle(/^summer_sale/).click()
  await page.getByLabel('Text for {{discount}}').fill('15%')
  await expect(page.getByText('Choose a template', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Send from')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Ready to send')).toBeVisible()
  await page.getByRole('button', { name: 'Send now' }).click()
  await card(page, 'Tea from the sofa')
    .getByRole('button', { name: /^View Details/ })
    .click()
  const details = page.getByRole('dialog', { name: 'Tea from the sofa' })
  await details.getByRole('button', { name: 'All recipients' }).click()
  await expect(
    details
      .getByRole('listitem')
      .first()
      .getByText(/^(Sent|Delivered|Read)$/),
  ).toBeVisible()
  await details.getByRole('button', { name: 'Pause' }).click()
  await expect(details.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.goBack()
  await expect(details.getByText('Paused', { exact: true })).toBeVisible()
  await expect(details.getByText(/^[\d,]+ of [\d,]+ sent/)).toBeVisible()

  await test.step('WhatsApp rates the number’s quality low: it is paused, with the reason, the way to the number and one notification', async () => {
    await details.getByRole('button', { name: 'Resume' }).click()
    await expect(details.getByText('Active', { exact: true })).toBeVisible()
    const id = await findCampaign(page, 'Tea from the sofa')
    const { numberId } = await readCampaign(page, id)
    const numbers = numbersApi.list.response.parse(await (await page.request.get(numbersApi.list.path)).json())
    const number = numbers.items.find(({ id }) => id === numberId)
    await fetch(`${app.urls.simulator}/sim/quality`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone_number_id: number?.phoneNumberId, quality: 'RED' }),
    })
    await expect(details.getByText(/^Paused because WhatsApp rates the quality of its number as low/)).toBeVisible()
    await inspectStanding(page, 'campaign that has paused itself')
    await expect(details.getByRole('link', { name: 'Open WhatsApp Numbers' })).toHaveAttribute(
      'href',
      '/whatsapp-numbers',
    )
    await details.getByRole('button', { name: 'Resume' }).click()
    await expect(details.getByText('Active', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const told = page.getByRole('dialog', { name: 'Notifications' })
    await expect(told.getByRole('link', { name: /Tea from the sofa was paused/ })).toHaveCount(1)
    // Thousands are left, and would be written to beside the journeys that follow.
    await callAsPage(page.request, app, {
      method: 'POST',
      path: `/api/campaigns/${id}/status`,
      data: { action: 'cancel' },
    })
  })
})
