import { customersWrite, field, openInbox, priya, rahul, row, thread } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a person begins a conversation from any screen, and finds every record from there', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  const choice = dialog.getByRole('combobox', { name: 'Contact or phone number' })

  await test.step('from the dashboard, with a contact', async () => {
    await openInbox(page)
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Send Message' }).click()
    await choice.fill('Priya')
    await page.getByTitle(new RegExp(`^${priya.name}`)).click()
    await inspect(page, 'new conversation')
    await dialog.getByRole('button', { name: 'Open conversation' }).click()
    await expect(thread(page, priya.name)).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  await test.step('what is written can leave at a usual time, told by the customer’s clock too', async () => {
    await field(page).fill('Your kettle is here.')
    await page.getByRole('button', { name: 'Send later' }).click()
    const later = page.getByRole('dialog', { name: 'Send later' })
    await later.getByRole('button', { name: 'Tomorrow, 9:00' }).click()
    await expect(later.getByLabel('Time', { exact: true })).toHaveValue('09:00')
    await inspect(page, 'send later')
    await later.getByRole('button', { name: 'Schedule' }).click()
    await expect(later).toBeHidden()
  })

  await test.step('with a number that is no contact yet', async () => {
    await page.getByRole('button', { name: 'New conversation' }).click()
    await choice.fill('+49 30 23125000')
    await page.getByTitle(/^New contact/).click()
    await dialog.getByRole('button', { name: 'Open conversation' }).click()
    await expect(page.getByRole('dialog', { name: 'Send a template' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(thread(page, '+49 30 23125000')).toBeVisible()
  })

  await test.step('a search without a name leads to the messages that hold the words', async () => {
    const search = page.getByRole('searchbox', { name: 'Search conversations' })
    await search.fill('kettle')
    await page.getByRole('button', { name: /messages? contains? “kettle”/ }).click()
    await expect(page.getByRole('list', { name: 'Messages found' })).toContainText('Is the blue kettle in stock?')
    await search.fill('')
  })

  await test.step('Ctrl K finds contacts, conversations and messages', async () => {
    await page.keyboard.press('Control+k')
    const menu = page.getByRole('dialog', { name: 'Command menu' })
    await menu.getByRole('combobox').fill('kettle')
    await expect(menu.getByText('Is the blue kettle in stock?')).toBeVisible()
    await menu.getByRole('combobox').fill('priya')
    await expect(menu.getByText(`Conversation with ${priya.name}`)).toBeVisible()
    await inspect(page, 'command menu with records')
    await menu.getByText(new RegExp(`^${priya.name} · `)).click()
    await expect(page).toHaveURL(/\/contacts\//)
  })

  await test.step('several conversations are closed at once, and brought back', async () => {
    await page.goto('/conversations')
    await page.getByRole('button', { name: 'Select conversations' }).click()
    await page.getByRole('checkbox', { name: `Select ${priya.name}` }).check()
    await page.getByRole('checkbox', { name: `Select ${rahul.name}` }).check()
    await inspect(page, 'conversations selected')
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Close' }).click()
    const told = toast(page, '2 conversations closed')
    await expect(row(page, priya.name)).toBeHidden()
    await told.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, priya.name)).toBeVisible()
    await expect(row(page, rahul.name)).toBeVisible()
  })
})
