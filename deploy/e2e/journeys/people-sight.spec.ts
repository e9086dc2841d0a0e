import { customersWrite, openInbox, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('an owner limits what agents see, looks at the workspace as an agent, and keeps the audit log for longer', async ({
  page,
  app,
  account: _account,
}) => {
  await customersWrite(await connectPhones(page.request, app))

  await test.step('agents see their own conversations alone', async () => {
    await page.goto('/settings?tab=account')
    await page.getByRole('radio', { name: 'Their own, and those that nobody has' }).check()
    await page.getByRole('button', { name: 'Save What Agents See' }).click()
    await expect(toast(page, 'The setting is saved.')).toBeVisible()
    await inspect(page, 'settings account sight')
  })

  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  const contacts = navigation.getByRole('link', { name: 'Contacts' })

  await test.step('seen as an agent, contacts are closed and nothing can be changed', async () => {
    await page.goto('/settings?tab=team')
    await page.getByRole('button', { name: 'View as Agent' }).click()
    const banner = page.getByRole('region', { name: 'View as another role' })
    await expect(banner).toBeVisible()
    await expect(contacts).toHaveCount(0)
    await openInbox(page)
    await row(page, priya.name).click()
    await inspect(page, 'conversations viewed as an agent')
    await banner.getByRole('button', { name: 'Stop' }).click()
    await expect(banner).toHaveCount(0)
    await expect(contacts).toBeVisible()
  })

  await test.step('entries of the audit log are kept for two years', async () => {
    await page.goto('/settings?tab=audit')
    await page.getByLabel('Days, from 90 to 2,557').fill('730')
    await page.getByRole('button', { name: 'Save Retention' }).click()
    await expect(page.getByText(/kept for 730 days/)).toBeVisible()
    await inspect(page, 'settings audit retention')
  })

  await test.step('another workspace is made, and the way back stands at the name', async () => {
    await page.goto('/settings?tab=account')
    await page.getByLabel('Name of the Business').fill('Second shop')
    await page.getByRole('button', { name: 'Create Workspace' }).click()
    const switcher = page.getByRole('button', { name: 'Second shop: change workspace' })
    await expect(switcher).toBeVisible()
    await switcher.click()
    await inspect(page, 'workspace switcher')
  })
})
