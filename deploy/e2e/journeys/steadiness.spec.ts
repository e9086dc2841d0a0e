import type { BrowserContext, Page } from '@playwright/test'
import { signUpByHttp, untilVerified } from '../src/accounts.ts'
import {
  emptyWorkspaces,
  expect,
  hearsNothing,
  logIn,
  saved,
  saveProfile,
  test,
  toast,
  verifyByMail,
} from './fixtures.ts'

test.use(emptyWorkspaces)

const hourMs = 3600_000
const privateText = '1 Private Lane'

/** Types into the profile as a person does, so that the browser counts it as use of the page. */
async function typeAddress(page: Page): Promise<void> {
  await page.goto('/profile')
  await page.getByLabel('Address').click()
  await page.keyboard.type(privateText)
}

/** Counts the questions that the page puts in the way of leaving it; each is answered with Stay. */
function questions(page: Page): string[] {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  return asked
}

/** Ends the browser's session at the server without the browser knowing. */
async function endSessionElsewhere(context: BrowserContext, origin: string): Promise<void> {
  const [session] = (await context.cookies(origin)).filter(({ name }) => name.includes('sid'))
  const headers = {
    cookie: `${session?.name}=${session?.value}`,
    origin,
    'sec-fetch-site': 'same-origin',
    'x-csrf': '1',
  }
  const answer = await fetch(`${origin}/auth/sign-out`, { method: 'POST', headers })
  expect(answer.status).toBe(204)
}

for (const minutes of [-5, 5])
  test(`with a clock that is ${minutes} minutes off one signs in, stays signed in and saves`, async ({
    page,
    account,
  }) => {
    await page.clock.install({ time: Date.now() + minutes * 60_000 })
    await Promise.all([expect(toast(page, 'Logged in successfully!')).toBeVisible(), logIn(page, account)])
    await expect(page).toHaveURL('/dashboard')
    await saveProfile(page, 'At the wrong time')
    const [renewal] = await Promise.all([
      page.waitForResponse('**/auth/session'),
      // Past the moment at which the page renews a token of five minutes.
      page.clock.fastForward(4.5 * 60_000),
    ])
    expect(await renewal.json()).toMatchObject({ authenticated: true })
    await saveProfile(page, 'Later')
    await page.reload()
    await expect(page.getByLabel('Address')).toHaveValue('Later')
  })

test('after a sleep past the token’s life the next action just works', async ({ page, account: _account }) => {
  await page.goto('/profile')
  await page.getByLabel('Address').fill('After the sleep')
  // Anything that the page asks for after the sleep renews the token: the save, or what happens to come before it.
  const [renewal] = await Promise.all([
    page.waitForResponse('**/auth/session'),
    expect(saved(page)).toBeVisible(),
    page.clock
      .setSystemTime(Date.now() + hourMs)
      .then(() => page.getByRole('button', { name: 'Save Changes' }).click()),
  ])
  expect(await renewal.json()).toMatchObject({ authenticated: true })
})

test('after a sleep past the session’s end the login page says so, and the next person finds nothing', async ({
  page,
  context,
  app,
  account: _account,
}) => {
  const asked = questions(page)
  // Asleep, the page hears nothing: the end of the session would end its stream of events.
  await hearsNothing(page)
  await typeAddress(page)
  await endSessionElsewhere(context, app.urls.app)
  await page.clock.setSystemTime(Date.now() + 24 * hourMs)
  await Promise.all([
    expect(toast(page, 'Your session has ended. Log in again.')).toBeVisible(),
    page.getByRole('button', { name: 'Save Changes' }).click(),
  ])
  await expect(page).toHaveURL('/login')
  await expect(toast(page, 'Error')).toBeHidden()

  await page.getByLabel('Email', { exact: true }).fill('demo@parley.local')
  await page.getByLabel('Password', { exact: true }).fill(app.demoPassword)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('link', { name: 'View Profile' }).click()
  await expect(page.getByLabel('First Name')).toHaveValue('Demo')
  await expect(page.getByLabel('Address')).toHaveValue('')
  expect(asked).toEqual([])
})

test('a second person on another tab never meets what the first had typed', async ({
  page,
  context,
  app,
  account: _account,
}) => {
  // One tab hears of the change; the other, as if it had been frozen, does not.
  const hearing = await context.newPage()
  const deaf = await context.newPage()
  await deaf.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'))
  await hearsNothing(deaf)
  const asked = [hearing, deaf].map(questions)
  for (const tab of [hearing, deaf]) await typeAddress(tab)

  await page.bringToFront()
  await logIn(page, { email: 'demo@parley.local', password: app.demoPassword })
  await expect(page).toHaveURL('/dashboard')
  await expect(hearing.getByLabel('First Name')).toHaveValue('Demo')
  await expect(hearing.getByLabel('Address')).toHaveValue('')

  const [refused] = await Promise.all([
    deaf.waitForResponse('**/api/auth/profile'),
    deaf.getByRole('button', { name: 'Save Changes' }).click(),
  ])
  expect(refused.status()).toBe(409)
  await expect(deaf.getByLabel('First Name')).toHaveValue('Demo')
  await expect(deaf.getByLabel('Address')).toHaveValue('')
  expect(await (await page.request.get('/api/auth/user')).json()).toMatchObject({ firstName: 'Demo', address: '' })
  expect(asked.flat()).toEqual([])
})

test('signing out on one tab and another person signing in there leaves nothing of the first on the other', async ({
  page,
  context,
  app,
  account: _account,
}) => {
  const other = await context.newPage()
  const asked = questions(other)
  await typeAddress(other)
  await page.bringToFront()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(other).toHaveURL('/login')
  await logIn(page, { email: 'demo@parley.local', password: app.demoPassword })
  await expect(page).toHaveURL('/dashboard')
  await other.bringToFront()
  await other.goBack()
  await other.goto('/profile')
  await expect(other.getByLabel('First Name')).toHaveValue('Demo')
  await expect(other.getByLabel('Address')).toHaveValue('')
  expect(asked).toEqual([])
})

test('a verification mail that is opened while somebody else is signed in verifies its own account only', async ({
  page,
  app,
  request,
}) => {
  const signedIn = await signUpByHttp(page.request, app)
  await page.goto('/verify-email')
  await expect(page.getByText(signedIn.email)).toBeVisible()
  const addressee = await signUpByHttp(request, app)
  await verifyByMail(page, app.urls.mail, addressee.email)
  await untilVerified(request, app, addressee)

  const asked = page.waitForResponse('**/auth/reload')
  await page.bringToFront()
  expect(await (await asked).json()).toEqual({ emailVerified: false })
  await page.reload()
  await expect(page).toHaveURL('/verify-email')
  await expect(page.getByText(signedIn.email)).toBeVisible()
})
