import { inspect } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

test('a workflow is created on an event, played through its wait, saved and published', async ({
  page,
  account: _account,
}) => {
  await page.goto('/workflows')
  await page.getByRole('button', { name: 'Create Workflow' }).click()
  await page.getByLabel('Name').fill('Greet slowly')
  await page.getByLabel('Name').press('Enter')
  const node = (name: string) => page.locator('.react-flow__node').filter({ hasText: name })
  await expect(node('Contact created')).toBeVisible()

  // A wait between the event and the message: added after the event, led to the message in the inspector.
  await page.getByRole('button', { name: 'Add Delay' }).click()
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Next', exact: true }).click()
  await page.getByTitle('Welcome message').click()
  await node('Contact created').click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('heading', { name: 'Contact created' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Next', exact: true }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'Wait' }).click()
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()

  await page.getByRole('button', { name: 'Test Workflow' }).click()
  await page.getByRole('button', { name: 'Send event: Contact created' }).click()
  const log = page.getByRole('log')
  await expect(log).toContainText('Waits 1 hour')
  await expect(node('Wait').getByText('Active')).toBeVisible()
  await expect(log).not.toContainText('Welcome, Asha!')
  await page.getByRole('button', { name: /^Skip wait/ }).click()
  await expect(log).toContainText('Welcome, Asha!')
  await page.getByRole('button', { name: 'Restart' }).click()
  await expect(log).not.toContainText('Welcome, Asha!')

  await page.keyboard.press('Control+s')
  await expect(toast(page, 'Changes saved.')).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Start Greet slowly' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish Greet slowly' })
  const warnings = dialog.getByRole('checkbox', { name: /^Accept: / })
  await expect(warnings.first()).toBeVisible()
  for (const box of await warnings.all()) await box.check()
  await dialog.getByRole('button', { name: 'Publish and Start' }).click()
  await expect(page.getByRole('button', { name: 'Pause Greet slowly' })).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText('6')
  await page.goto('/workflows?workflow=no-such-workflow')
  await expect(page.getByRole('heading', { name: 'This workflow could not be found' })).toBeVisible()
})

test('workflows and their builder have no axe violation', async ({ page, viewer: _viewer }) => {
  const first = async () => (await (await page.request.get('/api/workflows')).json()).items[0]?.id
  // The worker loads them once messaging has told it of the sample.
  await expect.poll(first, { timeout: 30_000 }).toBeTruthy()
  const open = `/workflows?workflow=${await first()}`
  for (const path of ['/workflows', open, `${open}&panel=runs`, `${open}&panel=settings`]) {
    await page.goto(path)
    await inspect(page, path)
  }
})
