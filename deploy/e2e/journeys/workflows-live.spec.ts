import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a workflow built in the browser thanks whoever is tagged: the template is on the phone, the run in its list', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const post = async (path: string, data: object) =>
    (await callAsPage(page.request, app, { method: 'POST', path, data })).json()
  const template = templatesApi.create.response.parse(
    await post(templatesApi.create.path, {
      name: 'thanks',
      language: 'en',
      category: 'utility',
      buttons: [],
      examples: { 1: 'Asha' },
      body: 'Thank you, {{1}}. Your order of tea is packed and leaves today.',
    }),
  )
  const status = async () => (await (await page.request.get(`/api/templates/${template.id}`)).json()).status
  await expect.poll(status).toBe('approved')
  const mina = contactsApi.create.response.parse(
    await post(contactsApi.create.path, { name: 'Mina Rao', phone: '+919812300077', tags: [], attributes: {} }),
  )
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const choose = async (label: string, option: string) => {
    await inspector.getByRole('combobox', { name: label, exact: true }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: option }).last().click()
  }

  await test.step('build it', async () => {
    await page.goto('/workflows')
    await page.getByRole('button', { name: 'Create Workflow' }).first().click()
    await page.getByLabel('Name').fill('Thank VIPs')
    await page.getByRole('radio', { name: 'Blank canvas' }).check()
    await page.getByLabel('Name').press('Enter')
    await page.getByRole('button', { name: 'Add node: Event' }).click()
    await choose('Event', 'Contact tagged')
    await inspector.getByRole('button', { name: 'Add condition' }).click()
    await expect(inspector.getByRole('combobox', { name: 'Field of condition 1' })).toHaveValue('event.tag')
    await inspector.getByRole('textbox', { name: 'Value of condition 1' }).fill('vip')
    await page.getByRole('button', { name: 'Add node: Send template' }).click()
    await choose('Template', 'thanks')
    await inspector.getByRole('textbox', { name: '{{1}}' }).fill('{{first_name|there}}')
    await page.locator('.react-flow__node').filter({ hasText: 'Event' }).click()
    await choose('Next', 'Send template')
    await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()
  })

  await test.step('publish it', async () => {
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Thank VIPs' })
    await expect(dialog.getByText('No problems. This flow can run.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Publish and Start' }).click()
    await expect(toast(page, 'Version 1 of Thank VIPs is published and running.')).toBeVisible()
    await expect(page.getByText('Version 1 runs')).toBeVisible()
  })

  await test.step('a contact is tagged: the template is on the phone', async () => {
    const change = { method: 'PATCH' as const, path: `/api/contacts/${mina.id}` }
    await callAsPage(page.request, app, { ...change, data: { tags: ['vip'], version: mina.version } })
    const onPhone = async () => JSON.stringify(await phones.look(`/messages?to=${encodeURIComponent('+919812300077')}`))
    await expect.poll(onPhone, { timeout: 20_000 }).toContain('Mina')
  })

  await test.step('the run stands in the list, with why it began and what it did', async () => {
    await page.getByRole('button', { name: 'Runs', exact: true }).click()
    await page.getByText('Ended', { exact: true }).click()
    const run = page.getByRole('button', { name: /Mina Rao/ })
    await expect(run).toContainText('Contact tagged: vip, by a member')
    await run.click()
    const steps = page.getByRole('list', { name: 'Steps' })
    await expect(steps).toContainText('Send template')
    await expect(page.getByText('Completed')).toBeVisible()
    await inspect(page, 'a run of a workflow')
  })

  await test.step('the list counts it; paused, it starts nothing more', async () => {
    await page.goto('/workflows')
    await expect(page.getByRole('definition').filter({ hasText: '100%' })).toBeVisible()
    await page.getByRole('button', { name: 'Pause Thank VIPs' }).click()
    await expect(page.getByRole('button', { name: 'Start Thank VIPs' })).toBeVisible()
    const stored = async () => (await (await page.request.get('/api/workflows')).json()).items
    await expect.poll(stored).toMatchObject([{ status: 'paused', executions: 1, succeeded: 1 }])
  })
})
