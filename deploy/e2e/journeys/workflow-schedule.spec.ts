import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { inspect } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a workflow with a schedule is built, says when it starts next, and starts at its time for its segment', async ({
  page,
  app,
  account: _account,
}) => {
  test.setTimeout(300_000)
  const post = async (path: string, data: object) =>
    (await callAsPage(page.request, app, { method: 'POST', path, data })).json()
  const mina = contactsApi.create.response.parse(
    await post(contactsApi.create.path, { name: 'Mina Rao', phone: '+919812300377', tags: ['vip'], attributes: {} }),
  )
  await post(contactsApi.create.path, { name: 'Ravi Rao', phone: '+919812300378', tags: [], attributes: {} })
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const choose = async (label: string, option: string) => {
    const box = inspector.getByRole('combobox', { name: label, exact: true })
    await box.click()
    // A long list draws what is in view; one that is searched shows what fits.
    if (label === 'Time zone') await box.fill(option)
    await page.locator('.ant-select-item-option').filter({ hasText: option }).last().click()
  }
  const next = inspector.getByRole('status').filter({ hasText: 'Next start' })

  await test.step('build it: every day, some days, a day of the month', async () => {
    await page.goto('/workflows')
    await page.getByRole('button', { name: 'Create Workflow' }).first().click()
    await page.getByLabel('Name').fill('Greet VIPs')
    await page.getByRole('radio', { name: 'Blank canvas' }).check()
    await page.getByLabel('Name').press('Enter')
    await page.getByRole('button', { name: 'Add node: Schedule' }).click()
    await choose('Time zone', 'Kathmandu')
    await inspector.getByLabel('Time', { exact: true }).fill('07:45')
    await expect(next).toContainText(/7:45 .*GMT\+5:45/)
    await choose('Repeats', 'Every month')
    await inspector.getByLabel('Day of the month').fill('31')
    await choose('Repeats', 'Every week')
    await inspector.getByRole('checkbox', { name: 'Thu' }).check()
    await expect(next).toContainText('7:45')
    await choose('For whom', 'VIP')
    await page.getByRole('button', { name: 'Add node: Add tag' }).click()
    await inspector.getByRole('combobox', { name: 'Tag', exact: true }).fill('greeted')
    await page.locator('.react-flow__node').filter({ hasText: 'Schedule' }).click()
    await choose('Next', 'Add tag')
    await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()
    await inspect(page, 'a trigger with a schedule')
    await page.locator('.react-flow__node').filter({ hasText: 'Schedule' }).click()
  })

  await test.step('once, in a minute: published, its card says when', async () => {
    await choose('Repeats', 'Once')
    await choose('Time zone', 'UTC')
    const soon = new Date(Date.now() + 90_000).toISOString()
    await inspector.getByLabel('Date').fill(soon.slice(0, 10))
    await inspector.getByLabel('Time', { exact: true }).fill(soon.slice(11, 16))
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Greet VIPs' })
    await dialog.getByRole('button', { name: 'Publish and Start' }).click()
    await expect(toast(page, 'Version 1 of Greet VIPs is published and running.')).toBeVisible()
    await page.goto('/workflows')
    await expect(page.getByRole('listitem').filter({ hasText: 'Greet VIPs' })).toContainText('next start')
    await inspect(page, 'a workflow that waits for its time')
  })

  await test.step('at its time it has started for the segment alone', async () => {
    const tagsOf = async () => (await (await page.request.get(`/api/contacts/${mina.id}`)).json()).tags
    await expect.poll(tagsOf, { timeout: 150_000 }).toEqual(['vip', 'greeted'])
    await page.reload()
    const card = page.getByRole('listitem').filter({ hasText: 'Greet VIPs' })
    await expect(card).not.toContainText('next start')
    await card.getByRole('link', { name: 'Greet VIPs' }).click()
    await page.getByRole('button', { name: 'Runs', exact: true }).click()
    await page.getByText('Ended', { exact: true }).click()
    await expect(page.getByRole('button', { name: /Mina Rao/ })).toContainText(/Schedule: \d{4}-\d\d-\d\d \d\d:\d\d/)
    await expect(page.getByRole('button', { name: /Ravi Rao/ })).toHaveCount(0)
    await inspect(page, 'runs that a schedule has started')
  })
})
