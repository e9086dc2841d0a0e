import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { findCampaign, readCampaign } from '../src/find.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

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
  await sale.getByRole('tab', { name: 'Timeline' }).click()
  await expect(sale.getByText('Loaded with the sample data')).toBeVisible()
  await inspect(page, 'campaign timeline')
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
  await page.getByRole('checkbox', { name: /^Could not be reached on WhatsApp/ }).check()
  await page.getByRole('button', { name: /^Create draft for \d+/ }).click()
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
  const again = page.getByRole('dialog', { name: 'Summer sale again' })
  await expect(again.getByText('Summer sale: failed')).toBeVisible()
  await expect(again.getByText('Nothing more will be sent.')).toBeVisible()
  await expect(again.getByRole('button', { name: /^Replied \d+$/ })).toBeVisible()
})

test('on a phone a broadcast is sent at once, followed to single contacts, and paused: by hand, and by itself @gate', async ({
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
  // Enough recipients to be under way until the pause.
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
  // Its details open by themselves.
  const details = page.getByRole('dialog', { name: 'Tea from the sofa' })
  await details.getByRole('tab', { name: 'Recipients' }).click()
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
    const notifications = page.getByRole('dialog', { name: 'Notifications' })
    await expect(notifications.getByRole('link', { name: /Tea from the sofa was paused/ })).toHaveCount(1)
    // Thousands are left, and would be written to beside the journeys that follow.
    await callAsPage(page.request, app, {
      method: 'POST',
      path: `/api/campaigns/${id}/status`,
      data: { action: 'cancel' },
    })
  })
})
