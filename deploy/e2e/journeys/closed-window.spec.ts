import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { bubble, customersWrite, field, openInbox, rahul, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { expect, test } from './fixtures.ts'

// A simulator of its own: for any test that shared it, the day would be over as well.
test.use({ appEnv: { SAMPLE_DATA: 'off', SIMULATOR_SEED: 'time-travel' } })

test('a day later only a template leaves; once the customer has answered, everything does', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  const { method, path } = templatesApi.create
  const data = {
    name: 'still_there',
    language: 'en',
    category: 'utility',
    header: 'Your parcel',
    footer: 'Chai & Co, Pune',
    buttons: [{ kind: 'quick_reply', text: 'Yes, write to me' }],
    examples: { 1: 'Asha' },
    body: 'Hello {{1}}, we have *news* of your parcel. Shall we write to you?',
  }
  const { id } = templatesApi.create.response.parse(
    await (await callAsPage(page.request, app, { method: method as 'POST', path, data })).json(),
  )
  const status = async () => (await (await page.request.get(`${path}/${id}`)).json()).status
  await expect.poll(status).toBe('approved')
  await openInbox(page)
  await row(page, rahul.name).click()
  await expect(bubble(page, 'The guard at gate 2 has my parcel.')).toBeVisible()

  await test.step('WhatsApp refuses a text: the composer offers templates', async () => {
    await phones.control('/clock', { advance: 25 * 3_600_000 })
    await field(page).fill('The guard has it until six.')
    await field(page).press('Enter')
    await expect(bubble(page, 'The guard has it until six.')).toContainText(/window/i)
    await expect(page.getByText(/WhatsApp now only allows approved templates/)).toBeVisible()
    await expect(field(page)).toHaveCount(0)
  })

  await test.step('a template leaves', async () => {
    // The text that was refused offers it as well.
    await page.getByRole('button', { name: 'Send a template' }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Send a template' })
    const preview = dialog.getByRole('figure', { name: 'Preview of the message' })
    await expect(preview).toContainText('Your parcel')
    await expect(preview.getByRole('listitem')).toHaveText(['Yes, write to me'])
    await inspect(page, 'send a template')
    await dialog.getByRole('button', { name: 'Send template' }).click()
    await expect(dialog).toBeHidden()
    const sent = bubble(page, 'of your parcel')
    await expect(sent.getByRole('img', { name: /^(Delivered|Read)$/ })).toBeVisible()
    await expect(sent).toContainText('Your parcel')
    await expect(sent.locator('strong')).toHaveText('news')
    await expect(sent.getByText('Chai & Co, Pune', { exact: true })).toBeVisible()
    await expect(sent.getByRole('list', { name: 'Buttons' })).toHaveText('Yes, write to me')
    await inspect(page, 'template in the thread')
    await expect(field(page)).toHaveCount(0)
  })

  await test.step('the customer answers: free text leaves again', async () => {
    await phones.write(rahul, 'Yes, please.')
    await field(page).fill('It is at the gate again.')
    await field(page).press('Enter')
    const sent = bubble(page, 'It is at the gate again.')
    await expect(sent.getByRole('img', { name: /^(Delivered|Read)$/ })).toBeVisible()
  })
})
