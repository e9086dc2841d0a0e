import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('an incoming webhook is built, its address made, called by another system, and its calls are looked at', async ({
  page,
  request,
  account: _account,
}) => {
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  let address = ''

  await test.step('build it, with what is kept of a call', async () => {
    await page.goto('/workflows')
    await page.getByRole('button', { name: 'Create Workflow' }).first().click()
    await page.getByLabel('Name').fill('Shipped orders')
    await page.getByRole('radio', { name: 'Blank canvas' }).check()
    await page.getByLabel('Name').press('Enter')
    await page.getByRole('button', { name: 'Add node: Incoming webhook' }).click()
    await inspector.getByLabel('Where it stands in the JSON').fill('/customer/phone')
    await inspector.getByRole('switch', { name: 'Create the contact if there is none' }).click()
    await inspector.getByLabel('Where its name stands').fill('/customer/name')
    await inspector.getByRole('button', { name: 'Add field' }).click()
    await inspector.getByLabel('Path of field 1').fill('/order')
    await inspector.getByRole('combobox', { name: 'Name of field 1' }).fill('order')
    await page.getByRole('button', { name: 'Add node: Add tag' }).click()
    await inspector.getByRole('combobox', { name: 'Tag', exact: true }).fill('shipped')
    await page.locator('.react-flow__node').filter({ hasText: 'Incoming webhook' }).click()
    await inspector.getByRole('combobox', { name: 'Next', exact: true }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'Add tag' }).last().click()
    await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()
    await inspector.getByRole('button', { name: 'Create address' }).click()
    await expect(inspector.getByText('Copy the address now')).toBeVisible()
    address = (await inspector.getByText(/\/v1\/hooks\/whk_/).textContent()) ?? ''
    await inspectStanding(page, 'the address of an incoming webhook')
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Shipped orders' })
    await dialog.getByRole('button', { name: 'Publish and Start' }).click()
    await expect(toast(page, 'Version 1 of Shipped orders is published and running.')).toBeVisible()
  })

  await test.step('called twice, it starts one run for the contact that it makes; a wrong call is explained', async () => {
    const data = { customer: { phone: '+91 98123 00388', name: 'Asha Rao' }, order: 'A-7' }
    const first = await request.post(address, { data })
    expect([first.status(), await first.json()]).toMatchObject([202, { result: 'started', repeated: false }])
    expect(await (await request.post(address, { data })).json()).toMatchObject({ repeated: true })
    expect((await request.post(address, { data: { customer: { name: 'Nobody' } } })).status()).toBe(400)
    const found = async () =>
      contactsApi.list.response.parse(await (await page.request.get('/api/contacts?q=Asha')).json()).items
    await expect.poll(async () => (await found()).map(({ tags }) => tags)).toEqual([['shipped']])
  })

  await test.step('look at its calls', async () => {
    await page.reload()
    await page.locator('.react-flow__node').filter({ hasText: 'Incoming webhook' }).click()
    const calls = inspector.getByRole('region', { name: 'Last calls' })
    await expect(calls.getByText('1 repeat')).toBeVisible()
    await expect(calls.getByText('The body has no text at /customer/phone')).toBeVisible()
    await calls.getByText('3 fields').click()
    await expect(calls.getByText('/order text')).toBeVisible()
    await calls.scrollIntoViewIfNeeded()
    await inspect(page, 'the last calls of an incoming webhook')
  })

  await test.step('replaced, the address is refused; the run says what has started it', async () => {
    await inspector.getByRole('button', { name: 'Replace address' }).click()
    await page.getByRole('dialog', { name: 'Replace the address?' }).getByRole('button', { name: 'Replace' }).click()
    await expect(inspector.getByText('Copy the address now')).toBeVisible()
    expect((await request.post(address, { data: {} })).status()).toBe(404)
    await page.getByRole('button', { name: 'Runs', exact: true }).click()
    await page.getByText('Ended', { exact: true }).click()
    await expect(page.getByRole('button', { name: /Asha Rao/ })).toContainText('Incoming webhook')
  })
})
