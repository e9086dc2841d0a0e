import type { Page } from '@playwright/test'
import { bubble, customersWrite, field, openInbox, priya, row, thread } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { colleague } from './colleague.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a team sets its hours and target, sees who waits and until when, and who answered', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)

  await test.step('hours and target are set in Settings', async () => {
    await page.goto('/settings?tab=account')
    const hours = page.getByRole('region', { name: 'Opening Hours' })
    await expect(hours.getByRole('button', { name: 'Remove hours 5' })).toBeVisible()
    for (let left = await hours.getByRole('button', { name: /^Remove hours/ }).count(); left > 0; left -= 1)
      await hours.getByRole('button', { name: `Remove hours ${left}` }).click()
    await expect(hours.getByText('None: the business counts as open at all hours.')).toBeVisible()
    await hours.getByRole('button', { name: 'Save Opening Hours' }).click()
    await expect(page.getByText('The opening hours are saved.', { exact: true })).toBeVisible()
    const target = page.getByRole('region', { name: 'Response Target' })
    await target.getByLabel('First answer within').fill('30')
    await target.getByRole('button', { name: 'Save Response Target' }).click()
    await expect(page.getByText('The response target is saved.', { exact: true })).toBeVisible()
    await hours.getByRole('button', { name: 'Add Hours' }).click()
    await inspect(page, 'settings account with hours')
    await hours.getByRole('button', { name: 'Remove hours 1' }).click()
  })

  await test.step('a conversation shows the time that is left, in the list and in the thread', async () => {
    await customersWrite(phones)
    await openInbox(page)
    await expect(row(page, priya.name)).toContainText(/Due in \d+ min/)
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByTitle('Due first').click()
    await expect(page).toHaveURL(/sort=due/)
    await row(page, priya.name).click()
    await expect(thread(page, priya.name).getByText(/Due in \d+ min/)).toBeVisible()
    await inspect(page, 'conversations with a response target')
  })

  await test.step('an answer ends the wait and is credited, with its row behind the number', async () => {
    await field(page).fill('It is, in both sizes.')
    await field(page).press('Enter')
    await expect(thread(page, priya.name).getByText(/Due in/)).toBeHidden()
    await page.goto('/analytics?tab=team')
    const answered = page.getByRole('region', { name: 'Team' }).getByRole('link', { name: /^1 ?: rows of customers/ })
    await expect(answered).toBeVisible()
    await inspect(page, 'analytics team')
    await answered.click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('link', { name: priya.name })).toBeVisible()
    await expect(drawer.getByText(/Answered after \d+ min/)).toBeVisible()
    await drawer.getByRole('button', { name: 'Export rows' }).click()
    await expect(page.getByText('Rows exported.', { exact: true })).toBeVisible()
  })
})

test('who is away is given nothing, what nobody has room for waits, and goes to whoever is back', async ({
  page: ann,
  app,
  browser,
  account: _account,
}) => {
  const phones = await connectPhones(ann.request, app)
  const ben = await colleague(browser, app, ann)
  const [first, second] = [priya, { phone: '+919812300011', name: 'Rohan Mehta' }]
  const state = (page: Page) => page.getByRole('button', { name: /: change availability$/ })
  const say = async (page: Page, label: string) => {
    await state(page).click()
    // Leaving the page before would cancel the change.
    const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
    await page.getByRole('dialog', { name: 'Availability' }).getByRole('button', { name: label }).click()
    await stored
  }

  await test.step('new conversations go to both in turn, one open one each', async () => {
    await ann.goto('/settings?tab=account')
    const assignment = ann.getByRole('region', { name: 'Automatic Assignment' })
    await assignment.getByRole('combobox', { name: 'New conversations go to' }).click()
    await ann.getByTitle('Each member in turn').click()
    await assignment.getByRole('combobox', { name: 'Members who take part' }).click()
    const choices = ann.locator('.ant-select-item-option[title="Ann Stone"]')
    await expect(choices).toHaveCount(2)
    for (const index of [0, 1]) await choices.nth(index).click()
    await ann.keyboard.press('Escape')
    await assignment.getByLabel(/^Open conversations of each at most/).fill('1')
    await expect(assignment.getByRole('spinbutton', { name: /^Limit of / })).toHaveCount(2)
    await assignment.getByRole('button', { name: 'Save Assignment' }).click()
    await expect(ann.getByText('The assignment is saved.', { exact: true })).toBeVisible()
    await inspect(ann, 'settings account with limits')
  })

  await test.step('one is away, and the colleague sees it where conversations are assigned', async () => {
    await say(ben, 'Away until I am back')
    await expect(state(ben)).toHaveAccessibleName(/^Away/)
    await inspect(ben, 'away, in the sidebar')
    await phones.write(first, 'Is the blue kettle in stock?')
    await openInbox(ann)
    await expect(row(ann, first.name)).toBeVisible()
    await row(ann, first.name).click()
    await expect(thread(ann, first.name).getByText(/assigned this conversation/i)).toBeVisible()
    await ann.getByRole('button', { name: 'Assign to Member' }).click()
    await expect(ann.getByRole('menuitem', { name: /, away\)$/ })).toBeVisible()
    await ann.keyboard.press('Escape')
  })

  await test.step('the next one waits, and is given once they are back', async () => {
    await phones.write(second, 'And me?')
    await ben.goto('/conversations?show=unassigned')
    await expect(row(ben, second.name)).toBeVisible()
    await say(ben, 'Available')
    await ben.goto('/conversations?show=mine')
    await expect(row(ben, second.name)).toBeVisible()
    await expect(row(ben, first.name)).toHaveCount(0)
  })
})

test('a customer rates what a member has answered, which its figure and its row tell', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)

  await test.step('it is switched on in Settings', async () => {
    await page.goto('/settings?tab=account')
    const rating = page.getByRole('region', { name: 'Customer Rating' })
    await rating.getByRole('switch', { name: 'Ask for a rating' }).click()
    await rating.getByLabel('Question').fill('How did we do?')
    await rating.getByRole('button', { name: 'Save Rating' }).click()
    await expect(toast(page, 'The rating is saved.')).toBeVisible()
  })

  await test.step('the phone is asked once the conversation is closed, and its answer is in the thread', async () => {
    await phones.write(priya, 'Is the blue kettle in stock?')
    await openInbox(page)
    await row(page, priya.name).click()
    await field(page).fill('It is, in both sizes.')
    await field(page).press('Enter')
    await expect(bubble(page, 'It is, in both sizes.')).toBeVisible()
    await page.getByRole('button', { name: 'Close conversation' }).click()
    // The list shows what is open: it leaves it.
    await expect(row(page, priya.name)).toBeHidden()
    await page.goto('/conversations?show=closed')
    await row(page, priya.name).click()
    await expect(bubble(page, 'How did we do?')).toBeVisible()
    await phones.press(priya, '4 – Good')
    await expect(bubble(page, '4 – Good').last()).toBeVisible()
    // It is no question: the conversation stays closed.
    await expect(page.getByRole('button', { name: 'Close conversation' })).toBeHidden()
  })

  await test.step('words that follow are kept with it, behind the member’s figure', async () => {
    await phones.write(priya, 'Quick and friendly')
    await expect(bubble(page, 'Quick and friendly')).toBeVisible()
    await page.goto('/analytics?tab=team')
    const ratings = page
      .getByRole('region', { name: 'Team' })
      .getByRole('link', { name: /^4\.0 \(1\) ?: rows of ratings of/ })
    await expect(ratings).toBeVisible()
    await inspect(page, 'analytics team with a rating')
    await ratings.click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText('4 of 5: Quick and friendly')).toBeVisible()
    await inspect(page, 'rows of ratings')
    await drawer.getByRole('link', { name: priya.name }).click()
    await expect(thread(page, priya.name)).toBeVisible()
  })
})
