import type { Page } from '@playwright/test'
import { callAsPage } from '../src/accounts.ts'
import { inspectStanding } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const item = (page: Page, text: string) => panel(page).getByRole('link', { name: new RegExp(text) })
const unread = (page: Page, text: string) => item(page, text).getByRole('img', { name: 'Unread' })

test('the bell leads to what it tells of; what is read in one tab is read in the other; news come by themselves', async ({
  page,
  app,
  context,
  account: _account,
}) => {
  const other = await context.newPage()
  await other.goto('/profile')
  await bell(other).click()
  for (const text of ['Summer sale is complete', 'A message to Rahul Verma', 'Quality of Chai & Co Support'])
    await expect(unread(other, text)).toBeVisible()
  await expect(unread(other, 'Welcome handed a conversation')).toHaveCount(0)

  await test.step('an entry opens the record, and is read in the other tab as well', async () => {
    await bell(page).click()
    await item(page, 'Summer sale is complete').click()
    await expect(page).toHaveURL(/\/broadcasts\?id=[0-9a-f]{24}$/)
    await expect(page.getByRole('dialog', { name: 'Summer sale' })).toBeVisible()
    await expect(unread(other, 'Summer sale is complete')).toHaveCount(0)
    await page.goto('/dashboard')
    await bell(page).click()
    await item(page, 'A message to Rahul Verma').click()
    await expect(page).toHaveURL(/\/conversations\?id=[0-9a-f]{24}/)
    await expect(page.getByRole('log', { name: 'Messages' })).toBeVisible()
    await expect(unread(other, 'A message to Rahul Verma')).toHaveCount(0)
  })

  await test.step('all are read at once', async () => {
    await panel(other).getByRole('button', { name: 'Mark all as read' }).click()
    await expect(unread(other, 'Quality of Chai & Co Support')).toHaveCount(0)
  })

  await test.step('a template that WhatsApp rejects is told in both, with what to do', async () => {
    // The sample’s numbers are connected while one looks around.
    await page.goto('/whatsapp-numbers')
    await expect(page.getByText('Active', { exact: true }).filter({ visible: true })).toHaveCount(2)
    await callAsPage(page.request, app, {
      method: 'POST',
      path: '/api/templates',
      data: {
        name: 'reject_spring_tea',
        language: 'en',
        category: 'marketing',
        buttons: [],
        examples: { name: 'Asha' },
        accepted: ['no_way_out'],
        body: 'Hello {{name}}, our spring teas have come. Taste them now.',
      },
    })
    await expect(unread(other, 'reject_spring_tea was rejected')).toBeVisible()
    await inspectStanding(other, 'notifications')
    await bell(page).click()
    await expect(item(page, 'reject_spring_tea was rejected')).toContainText('Edit it and send it again')
    await item(page, 'reject_spring_tea was rejected').click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('reject_spring_tea')
    await expect(unread(other, 'reject_spring_tea was rejected')).toHaveCount(0)
  })
})
