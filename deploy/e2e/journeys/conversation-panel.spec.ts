import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { details, field, messages, openInbox, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

test('before answering, a member sees and edits what is known of the customer', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await phones.write(priya, 'Is the blue kettle in stock?')
  await openInbox(page)
  await row(page, priya.name).click()
  const panel = details(page)
  await expect(panel.getByText('Not asked')).toBeVisible()
  await expect(panel).toContainText('Written to')

  await test.step('consent with its proof', async () => {
    await panel.getByRole('button', { name: 'Record consent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record consent' })
    await dialog.getByLabel('How they told you').fill('At the fair in May')
    await dialog.getByRole('button', { name: 'Record' }).click()
    await expect(panel.getByText(/At the fair in May/)).toBeVisible()
    await expect(panel.getByText('Allowed', { exact: true })).toBeVisible()
  })

  await test.step('a field, by keyboard', async () => {
    await panel.getByRole('button', { name: 'Edit City' }).click()
    await expect(panel.getByLabel('City')).toBeFocused()
    await page.keyboard.type('Pune')
    await page.keyboard.press('Enter')
    await expect(panel.getByText('Pune')).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Edit City' })).toBeFocused()
  })

  await test.step('a note, and back to where it stands', async () => {
    await panel.getByRole('button', { name: 'Add note' }).click()
    await page.keyboard.type('Prefers the morning')
    await page.keyboard.press('Enter')
    const note = panel.getByRole('button', { name: /Prefers the morning/ })
    await note.click()
    await expect(page).toHaveURL(/message=/)
    await expect(messages(page).getByText('Prefers the morning')).toBeVisible()
  })
  const id = new URL(page.url()).searchParams.get('id')
  const { contact } = conversationsApi.read.response.parse(
    await (await page.request.get(`/api/conversations/${id}`)).json(),
  )
  await page.goto(`/conversations?id=${id}&panel=details`)
  await expect(details(page).getByText('Pune')).toBeVisible()
  await inspect(page, 'panel of a conversation')

  await test.step('on a phone it lies over the thread, and leads to the note', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/conversations?contact=${contact.id}`)
    await page.getByRole('button', { name: 'Contact details' }).click()
    await details(page).getByRole('button', { name: 'Add note' }).click()
    await expect(details(page)).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Note' }).or(field(page))).toBeFocused()
  })
})
