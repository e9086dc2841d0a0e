import { type Account, completeProfileByHttp, signUpByHttp } from './accounts.ts'
import { linkFrom } from './mail.ts'
import { pngPicture } from './picture.ts'
import { seeAutomations } from './screens-automations.ts'
import { seeCampaigns } from './screens-campaigns.ts'
import { seeConfiguration } from './screens-configuration.ts'
import { walkContacts } from './screens-contacts.ts'
import { walkThroughConversations } from './screens-conversations.ts'
import { expect, type Walk } from './walk.ts'

/** Every screen once: as a visitor, then as one new person from sign-up to a new password. */
export async function walkThroughScreens(walk: Walk): Promise<void> {
  await visit(walk)
  await seeProvider(walk)
  const account = await signUpByHttp(walk.page.request, walk.app)
  await verifyAddress(walk, account)
  await setUpProfile(walk)
  await useApp(walk)
  await walkThroughConversations(walk)
  await walkContacts(walk)
  await seeAutomations(walk)
  await seeCampaigns(walk)
  await seeConfiguration(walk)
  await resetPassword(walk, account)
}

async function visit({ page, take, app }: Walk): Promise<void> {
  await page.goto('/')
  await take('landing', 'page')
  await page.goto('/login')
  await take('login')
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
  await take('login, empty fields')
  await page.getByLabel('Email', { exact: true }).fill('demo@parley.local')
  await page.getByLabel('Password', { exact: true }).fill(`not ${app.demoPassword}`)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Invalid email or password' }).first()).toBeVisible()
  await take('login, error toast')
  await page.goto('/signup')
  await take('signup')
  await page.goto('/forgot-password')
  await take('forgot password')
  await page.goto('/no-such-page')
  await take('404')
}

/** The provider's own pages on the way to a sign-in. */
async function seeProvider({ page, app, take }: Walk): Promise<void> {
  await page.goto('/login')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const popup = await opened
  await popup.waitForURL(/google-offline/)
  const address = popup.url()
  await popup.close()
  await page.goto(address)
  await take('provider, Google')
  await page.goto('/login')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'spa',
    redirect_uri: `${app.urls.app}/auth/handler`,
    state: 'shots',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  // Only a page of the app may begin a sign-in.
  await page.evaluate((url) => window.location.assign(url), `/auth/authorize?${query}`)
  await page.waitForURL(/realms\/parley/)
  await take('provider, sign in')
}

async function verifyAddress({ page, app, take }: Walk, account: Account): Promise<void> {
  await page.goto('/verify-email')
  await expect(page.getByText(account.email)).toBeVisible()
  await take('verify email')
  const link = await linkFrom(app.urls.mail, account.email, 'Verify email')
  await page.goto(link)
  await take('provider, confirm email')
  await page.getByRole('button').click()
  await expect(page.getByRole('heading', { name: /verified/i })).toBeVisible()
  await take('provider, email verified')
  await page.goto(link)
  await take('provider, used link')
}

async function setUpProfile({ page, app, take }: Walk): Promise<void> {
  await page.goto('/verify-email')
  await expect(page).toHaveURL('/profile-setup')
  await take('profile setup', 'page')
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: pngPicture(900, 600) }
  await page.locator('input[type=file]').setInputFiles(picture)
  await expect(page.getByRole('button', { name: 'Use photo' })).toBeEnabled()
  await take('profile setup, crop')
  await completeProfileByHttp(page.request, app)
}

async function useApp({ page, take }: Walk): Promise<void> {
  await page.goto('/dashboard')
  await expect(page.getByText('Recent Activity')).toBeVisible()
  await take('dashboard', 'page')
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await take('dashboard, sidebar toggled')
  await page.goto('/profile')
  await expect(page.getByLabel('First Name')).toHaveValue('Ann')
  await take('profile', 'page')
  await page.getByLabel('First Name').fill('')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
  await take('profile, invalid')
}

async function resetPassword({ page, app, take }: Walk, account: Account): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/forgot-password')
  await page.getByLabel('Email', { exact: true }).fill(account.email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await take('forgot password, sent')
  await page.goto(await linkFrom(app.urls.mail, account.email, 'Update Your Account'))
  await take('provider, new password')
  for (const field of await page.locator('input[type=password]').all()) await field.fill('a new password')
  await page.getByRole('button').click()
  await expect(page.getByRole('heading', { name: /changed/i })).toBeVisible()
  await take('provider, password changed')
}
