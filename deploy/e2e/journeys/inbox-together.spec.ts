import type { Page } from '@playwright/test'
import { inspectStanding } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { colleague } from './colleague.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: new RegExp(name) })
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })
const bubble = (page: Page, text: string) => messages(page).getByRole('listitem').filter({ hasText: text })
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const customer = { phone: '+919812345678', name: 'Priya Sharma' }

test('two members and a customer: what one does the others see without a reload', async ({
  page: ann,
  app,
  browser,
  account: _account,
}) => {
  const phones = await connectPhones(ann.request, app)
  const ben = await colleague(browser, app, ann)
  for (const page of [ann, ben]) await page.goto('/conversations')

  await test.step('the customer writes: both see it', async () => {
    await phones.write(customer, 'Hi, is the blue kettle in stock?')
    for (const page of [ann, ben])
      await expect(row(page, customer.name)).toContainText('Hi, is the blue kettle in stock?')
  })

  await test.step('one answers; the ticks move; the colleague sees it', async () => {
    for (const page of [ann, ben]) {
      await row(page, customer.name).click()
      await expect(bubble(page, 'is the blue kettle in stock?')).toBeVisible()
    }
    await field(ann).fill('Yes, three are left.')
    await field(ann).press('Enter')
    await expect(bubble(ann, 'Yes, three are left.')).toHaveCount(1)
    await expect(bubble(ann, 'Yes, three are left.').getByRole('img', { name: /Delivered|Read/ })).toBeVisible()
    await expect(bubble(ben, 'Yes, three are left.').getByRole('img', { name: /Delivered|Read/ })).toBeVisible()
  })

  await test.step('a note is for the team; an assignment and its line show at the other', async () => {
    await ben.getByRole('switch', { name: 'Note for the team' }).click()
    await ben.getByRole('textbox', { name: 'Note for the team' }).fill('She asked for a discount last time.')
    await ben.keyboard.press('Enter')
    await expect(bubble(ann, 'She asked for a discount last time.')).toContainText('Note for the team')
    await ann.getByRole('switch', { name: 'Note for the team' }).click()
    await ann.getByRole('textbox', { name: 'Note for the team' }).pressSequentially('Did we give it? @')
    await expect(ann.getByRole('listbox', { name: 'Colleagues' }).getByRole('option')).toHaveCount(1)
    await inspectStanding(ann, '/conversations, a mention')
    await ann.keyboard.press('Enter')
    await expect(ann.getByRole('textbox', { name: 'Note for the team' })).toHaveValue(/^Did we give it\? @\S.* $/)
    await ann.keyboard.press('Enter')
    await expect(bubble(ben, 'Did we give it?')).toBeVisible()
    await ben.getByRole('button', { name: /^Notifications/ }).click()
    const told = ben.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: /mentioned you/ })
    await expect(told).toContainText(`${customer.name}: Did we give it? @`)
    await told.click()
    await ben
      .getByRole('group', { name: 'Show' })
      .getByRole('button', { name: /^Mentions/ })
      .click()
    await expect(row(ben, customer.name)).toBeVisible()
    await inspectStanding(ben, '/conversations, mentions')
    await expect(ann.getByRole('button', { name: /^Mentions/ })).toHaveCount(0)
    await ann.getByRole('switch', { name: 'Note for the team' }).click()
    await ann.getByRole('button', { name: 'Assign to Member' }).click()
    // Ann has it, because she wrote: it goes to her colleague.
    await ann.locator('[role=menuitem]:not([aria-disabled=true])').first().click()
    await expect(messages(ben).getByText(/took this conversation|assigned this conversation/)).toBeVisible()
  })

  await test.step('a view that one shares is there for the other', async () => {
    await ben.getByRole('button', { name: 'Saved views' }).click()
    await expect(ben.getByText('save that under a name')).toBeVisible()
    await ann.getByRole('button', { name: /^Open/ }).click()
    await ann.getByRole('button', { name: 'Saved views' }).click()
    await ann.getByRole('button', { name: 'Save this view' }).click()
    await ann.keyboard.type('To be closed')
    await ann.getByLabel('For everyone in this workspace').check()
    await ann.keyboard.press('Enter')
    await expect(ann.getByRole('button', { name: 'To be closed', exact: true, pressed: true })).toBeVisible()
    await inspectStanding(ann, '/conversations, saved views')
    await ben.getByRole('region', { name: 'Everyone’s' }).getByRole('button', { name: 'To be closed' }).click()
    await expect(ben).toHaveURL(/show=open/)
    await ann.keyboard.press('Escape')
    for (const page of [ann, ben]) await page.getByRole('button', { name: /^All/ }).click()
  })

  await test.step('offline: what is sent waits and is marked, what comes shows once one is back', async () => {
    await ann.context().setOffline(true)
    await field(ann).fill('I will put one aside for you.')
    await field(ann).press('Enter')
    await expect(bubble(ann, 'I will put one aside for you.')).toContainText('Will be sent when you are back online')
    await phones.write(customer, 'Great, thank you!')
    await expect(bubble(ben, 'Great, thank you!')).toBeVisible()
    await expect(bubble(ann, 'Great, thank you!')).toHaveCount(0)
    await ann.context().setOffline(false)
    await expect(bubble(ann, 'Great, thank you!')).toBeVisible()
    await expect(
      bubble(ann, 'I will put one aside for you.').getByRole('img', { name: /Delivered|Read/ }),
    ).toBeVisible()
    await expect(bubble(ben, 'I will put one aside for you.')).toHaveCount(1)
  })
  await ben.context().close()
})
