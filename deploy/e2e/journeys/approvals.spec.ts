import { membersApi } from '@parley/contracts/account/members'
import { callAsPage } from '../src/accounts.ts'
import { findCampaign } from '../src/find.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { colleague } from './colleague.ts'
import { expect, test, toast } from './fixtures.ts'

test('a large campaign is asked for, approved by a colleague from the bell, and sent; so is an export; billing lists its periods', async ({
  page,
  app,
  browser,
  account: _account,
}) => {
  await page.goto('/dashboard')
  const bob = await colleague(browser, app, page)
  const list = await callAsPage(page.request, app, { method: 'GET', path: membersApi.list.path })
  const { items } = membersApi.list.response.parse(await list.json())
  const member = items.find(({ role }) => role === 'agent')
  if (!member) throw new Error('the colleague is no member')
  const data = { role: 'admin', version: member.version }
  await callAsPage(page.request, app, { method: 'PATCH', path: `/api/members/${member.id}`, data })

  await page.goto('/settings?tab=account')
  const rule = page.getByRole('region', { name: 'Approvals' })
  await rule.getByRole('switch', { name: 'Large campaigns need an approval' }).click()
  await rule.getByRole('spinbutton', { name: 'More recipients than' }).fill('1')
  await rule.getByRole('button', { name: 'Save Approvals' }).click()
  await expect(toast(page, 'The rule is saved.')).toBeVisible()

  await page.goto(`/broadcasts?id=${await findCampaign(page, 'Summer sale')}`)
  await page.getByRole('dialog', { name: 'Summer sale' }).getByRole('button', { name: 'Send again to…' }).click()
  await page.getByRole('menuitem', { name: /^Failed/ }).click()
  await page.getByRole('checkbox', { name: /^Could not be reached on WhatsApp/ }).check()
  await page.getByRole('button', { name: /^Create draft for \d+/ }).click()
  await expect(page.getByText(/of \d+ contacts get the message/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('combobox', { name: 'Template', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Send from')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Needs an approval')).toBeVisible()
  const part = page.getByRole('region', { name: 'Approval' })
  await part.getByRole('textbox', { name: /^Message/ }).fill('They asked for it at the fair.')
  await inspect(page, 'review that needs an approval')
  await part.getByRole('button', { name: 'Ask for Approval' }).click()
  await expect(part.getByText(/asked on/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send now' })).toBeDisabled()

  await bob.goto('/settings?tab=account')
  const waiting = bob.getByRole('region', { name: 'Approvals' })
  await expect(waiting.getByRole('link', { name: 'Summer sale again' })).toBeVisible()
  await inspect(bob, 'settings with an approval that waits')
  await bob.getByRole('button', { name: /^Notifications/ }).click()
  await bob.getByText('Summer sale again waits for your approval').click()
  await expect(bob).toHaveURL(/draft=.*step=review/)
  const decision = bob.getByRole('region', { name: 'Approval' })
  await decision.getByRole('button', { name: 'Decline…' }).click()
  await expect(decision.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await inspectStanding(bob, 'decision on an approval')
  await decision.getByRole('button', { name: 'Back' }).click()
  await decision.getByRole('button', { name: 'Approve' }).click()
  await expect(decision.getByText(/has approved it/)).toBeVisible()

  await expect(part.getByText(/has approved it/)).toBeVisible()
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect(toast(page, /Summer sale again is started/)).toBeVisible()

  await page.goto('/settings?tab=account')
  const rules = page.getByRole('region', { name: 'Approvals' })
  await rules.getByRole('switch', { name: 'Large exports need an approval' }).click()
  await rules.getByRole('spinbutton', { name: 'More exported contacts than' }).fill('2')
  await rules.getByRole('button', { name: 'Save Approvals' }).click()
  await expect(toast(page, 'The rule is saved.')).toBeVisible()
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('button', { name: 'Start export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for an approval?' })
  await dialog.getByRole('textbox', { name: /^Message/ }).fill('For the tax adviser.')
  await inspectStanding(page, 'export that needs an approval')
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click()
  await expect(dialog).toBeHidden()
  await bob.goto('/settings?tab=account#approvals')
  const requests = bob.getByRole('region', { name: 'Approvals' })
  await expect(requests.getByText(/^Export [\d,]+ contacts: All contacts$/)).toBeVisible()
  await inspect(bob, 'settings with an export that waits')
  await requests.getByRole('button', { name: 'Approve' }).click()
  await expect(requests.getByRole('button', { name: 'Approve' })).toBeHidden()
  await page.goto('/settings?tab=account#approvals')
  await inspect(page, 'settings with an export that was approved')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export Now' }).click()
  expect((await download).suggestedFilename()).toMatch(/^contacts-.*\.csv$/)

  await page.goto('/settings?tab=billing')
  await page.getByRole('button', { name: 'Manage Billing' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Billing Periods' }).getByRole('cell', { name: / – now Professional, \$99/ }),
  ).toBeVisible()
  await inspectStanding(page, 'billing periods')
})
