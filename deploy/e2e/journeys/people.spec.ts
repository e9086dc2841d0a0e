import { newEmail, password } from '../src/accounts.ts'
import { customersWrite, field, openInbox, priya, row, thread } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { linkFrom } from '../src/mail.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, fillProfile, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const invitationLink = /https?:\/\/\S+#invitation=[\w-]{43}/

test('invite, sign up by the mail, work as an agent, removed while typing', async ({
  page,
  app,
  browser,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  const email = newEmail()

  await test.step('the owner invites by mail', async () => {
    await page.goto('/settings?tab=team')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Send Invitation' }).click()
    await expect(toast(page, `${email} is invited.`)).toBeVisible()
    await expect(page.getByText(/Agent · Mail sent/)).toBeVisible()
    await inspect(page, 'settings team')
  })

  const context = await browser.newContext({ baseURL: app.urls.app, viewport: { width: 1440, height: 900 } })
  const invited = await context.newPage()
  await test.step('who follows the link has a fixed address, and is in the workspace without another mail', async () => {
    await invited.goto(await linkFrom(app.urls.mail, email, /invites you/, invitationLink))
    await expect(invited.getByRole('heading', { name: /^Join / })).toBeVisible()
    await expect(invited).toHaveURL('/signup')
    await expect(invited.getByLabel('Email', { exact: true })).toHaveValue(email)
    await invited.getByLabel('Password', { exact: true }).fill(password)
    await invited.getByLabel('Confirm Password', { exact: true }).fill(password)
    await invited.getByRole('button', { name: 'Sign Up' }).click()
    await expect(invited).toHaveURL('/profile-setup')
    await expect(invited.getByLabel('Business Name')).toHaveCount(0)
    await fillProfile(invited, { first: 'Bob', last: 'Reed' })
    await invited.getByRole('button', { name: 'Complete Setup' }).click()
    await expect(invited).toHaveURL('/dashboard')
  })

  await test.step('they answer as an agent, and may not invite', async () => {
    await invited.goto('/settings?tab=team')
    await expect(invited.getByText('Bob Reed')).toBeVisible()
    await expect(invited.getByRole('button', { name: 'Invite', exact: true })).toHaveCount(0)
    await openInbox(invited)
    await row(invited, priya.name).click()
    await expect(thread(invited, priya.name)).toBeVisible()
    await field(invited).fill('Yes, it is in stock.')
    await field(invited).press('Enter')
    await expect(invited.getByText('Yes, it is in stock.').last()).toBeVisible()
  })

  await test.step('they are removed while they type: the page begins anew, and what they owned is nobody’s', async () => {
    await field(invited).fill('One more thing')
    await page.goto('/settings?tab=team')
    await page.getByRole('button', { name: 'Actions for Bob Reed' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(toast(page, 'Bob Reed was removed.')).toBeVisible()
    // Its stream of events ends within the second, and the next one is refused: nobody has to press anything.
    await expect(invited).toHaveURL('/dashboard')
    await expect(toast(invited, /another workspace now/)).toBeVisible()
    await invited.goto('/conversations')
    await expect(invited.getByText(priya.name)).toHaveCount(0)
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await expect(thread(page, priya.name).getByText('Unassigned this conversation')).toBeVisible()
    await expect(page.getByText('One more thing')).toHaveCount(0)
  })
  await context.close()

  await test.step('the audit log says who was invited, came and was removed, and what it says of one record', async () => {
    await page.goto('/settings?tab=audit')
    const entries = page.getByRole('list', { name: 'Audit log' })
    for (const text of [
      'Invited somebody',
      'Accepted an invitation',
      'Removed a member',
      'Connected a simulated number',
    ])
      await expect(entries.getByText(text).first()).toBeVisible()
    await inspect(page, 'settings audit log')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('radio', { name: 'Member', exact: true }).click()
    await page.keyboard.press('Escape')
    await expect(entries.getByText('Invited somebody')).toHaveCount(0)
    await page.goto('/contacts')
    const shown = page.getByRole('link', { name: priya.name }).first()
    const [id] = /[0-9a-f]{24}/.exec((await shown.getAttribute('href')) ?? '') ?? []
    await page.goto(`/contacts/${id}`)
    await page.getByRole('button', { name: `More actions for ${priya.name}` }).click()
    await page.getByRole('menuitem', { name: 'History' }).click()
    await expect(page.getByText(/^History of /)).toBeVisible()
    await page.goto('/settings?tab=account')
    await inspect(page, 'settings account')
  })
})
