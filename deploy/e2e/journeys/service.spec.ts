import { customersWrite, field, openInbox, priya, row, thread } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

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
