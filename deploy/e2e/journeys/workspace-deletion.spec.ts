import { userSchema } from '@parley/contracts/account/profile'
import { password } from '../src/accounts.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { linkFrom } from '../src/mail.ts'
import { colleague } from './colleague.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('an owner deletes the workspace: others are shut out and told; restored, all is as it was', async ({
  page,
  app,
  browser,
  account,
}) => {
  const agent = await colleague(browser, app, page)
  await page.goto('/settings?tab=account')
  const workspace = await page.getByLabel('Account Name').inputValue()

  await test.step('its name and the password are typed', async () => {
    await page.getByRole('button', { name: 'Delete Workspace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(`Type ${workspace} to confirm`).fill(workspace)
    await dialog.getByLabel('Your Password', { exact: true }).fill(password)
    await inspectStanding(page, 'settings delete workspace')
    await dialog.getByRole('button', { name: 'Delete Workspace' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('region', { name: 'Workspace deletion' })).toContainText('will be erased on')
    await inspect(page, 'closing workspace')
  })

  await test.step('the other member meets a page that says so, without a reload, and a mail', async () => {
    await expect(agent.getByRole('heading', { name: `${workspace} is being deleted` })).toBeVisible()
    await inspect(agent, 'closed workspace')
    await linkFrom(app.urls.mail, account.email, /will be deleted/, /https?:\/\/\S+/)
  })

  await test.step('nothing is changed meanwhile', async () => {
    await page.goto('/settings?tab=account')
    await page.getByRole('button', { name: 'Update Account' }).click()
    await expect(toast(page, /Restore it first/)).toBeVisible()
  })

  await test.step('restored, both work on', async () => {
    await page.getByRole('region', { name: 'Workspace deletion' }).getByRole('button', { name: 'Restore' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('region', { name: 'Workspace deletion' })).toHaveCount(0)
    await agent.reload()
    await expect(agent.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  })

  await test.step('the audit log has both', async () => {
    await page.goto('/settings?tab=audit')
    const entries = page.getByRole('list', { name: 'Audit log' })
    for (const text of ['Began to delete the workspace', 'Restored the workspace'])
      await expect(entries.getByText(text).first()).toBeVisible()
  })

  await test.step('the other member deletes their account, and cannot sign in any more', async () => {
    const { email } = userSchema.parse(await (await agent.request.get('/api/auth/user')).json())
    await agent.goto('/profile')
    await inspect(agent, 'profile with account deletion')
    await agent.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = agent.getByRole('dialog')
    await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
    await dialog.getByLabel('Your Password', { exact: true }).fill(password)
    await inspectStanding(agent, 'profile delete account')
    await dialog.getByRole('button', { name: 'Delete Account' }).click()
    await expect(agent).toHaveURL('/login')
    await agent.getByLabel('Email', { exact: true }).fill(email)
    await agent.getByLabel('Password', { exact: true }).fill(password)
    await agent.getByRole('button', { name: 'Log In', exact: true }).click()
    await expect(toast(agent, 'Invalid email or password')).toBeVisible()
  })
  await agent.context().close()
})
