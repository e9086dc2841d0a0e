import { sampleDataApi, sampleDataStateSchema } from '@parley/contracts/platform/sample-data'
import { type APIRequestContext, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import {
  type Account,
  callAsPage,
  completeProfileByHttp,
  newEmail,
  password,
  signUpByHttp,
  verifyByHttp,
} from '../src/accounts.ts'
import { type AppProcess, startApp, startTimeoutMs } from '../src/app-process.ts'
import { linkFrom } from '../src/mail.ts'
import { confirmAddress } from '../src/provider-pages.ts'
import { takeShot } from '../src/take-shot.ts'

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
interface OfJourney {
  /** An account of the journey's own. */
  readonly account: Account
  /** Signs in as an account that the journeys of a worker share: for those that change nothing of what a service keeps. */
  readonly viewer: undefined
}
interface OfWorker {
  /** Settings of the app; a file that sets its own has an app of its own. */
  readonly appEnv: Record<string, string>
  readonly app: AppProcess
  readonly viewerCookies: Cookies
}

/** One running app for all journeys of a worker. */
export const test = base.extend<OfJourney, OfWorker>({
  appEnv: [{}, { scope: 'worker', option: true }],
  app: [
    async ({ appEnv }, use) => {
      const app = await startApp(appEnv)
      await use(app)
      await app.dispose()
    },
    { scope: 'worker', timeout: startTimeoutMs + 30_000 },
  ],
  baseURL: ({ app }, use) => use(app.urls.app),
  context: async ({ context }, use) => {
    await keepToasts(context)
    await use(context)
  },
  account: async ({ page, app }, use) => {
    const account = await createAccount(page.request, app)
    await openDashboard(page)
    await use(account)
  },
  viewerCookies: [
    async ({ playwright, app }, use) => {
      const request = await playwright.request.newContext({ baseURL: app.urls.app })
      await createAccount(request, app)
      const { cookies } = await request.storageState()
      await request.dispose()
      await use(cookies)
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  viewer: async ({ page, viewerCookies }, use) => {
    await page.context().addCookies(viewerCookies)
    await openDashboard(page)
    await use(undefined)
  },
})
export { expect, newEmail, password }

/** Option for journeys that need none of the sample data, whose loading takes seconds. Files with this share one app. */
export const emptyWorkspaces = { appEnv: { SAMPLE_DATA: 'off' } }

/** Signs up through the page; ends on the verify-email page. */
export async function signUp(page: Page, email = newEmail()): Promise<Account> {
  await page.goto('/signup')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/verify-email')
  return { email, password }
}

/** Opens the newest mail's link in a page of its own, as a person does, and presses its one button. */
export async function verifyByMail(page: Page, mailUrl: string, email: string): Promise<void> {
  const mailTab = await page.context().newPage()
  await confirmAddress(mailTab, await linkFrom(mailUrl, email, 'Verify email'))
  await mailTab.close()
}

export async function logIn(page: Page, { email, password: secret }: Account): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Log In' }).click()
}

/** Signs out, and waits for it: leaving the page meanwhile would leave the call on its way behind. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
}

/** Fills the profile form's required fields. */
export async function fillProfile(page: Page, names: { first: string; last: string }): Promise<void> {
  await page.getByLabel('First Name').fill(names.first)
  await page.getByLabel('Last Name').fill(names.last)
  await page.getByLabel('Mobile Number').fill('98765 43210')
  await takeShot(page, 'profile setup')
}

/** An account with a verified address, a complete profile and all of the sample data, signed in where `request` belongs to. */
async function createAccount(request: APIRequestContext, app: AppProcess): Promise<Account> {
  const account = await signUpByHttp(request, app)
  await verifyByHttp(request, app, account)
  await completeProfileByHttp(request, app)
  // On a slow machine a call is answered before all of the sample data is there.
  const sampleData = async () => {
    const { method, path } = sampleDataApi.state
    return sampleDataStateSchema.parse(await (await callAsPage(request, app, { method, path })).json()).state
  }
  await expect.poll(sampleData, { timeout: 240_000 }).not.toBe('loading')
  return account
}

async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await expect(page.getByText('Recent Activity')).toBeVisible()
}

/**
 * A form that was refused stands with the focus on its first error. React Hook Form goes there once more, from a timer: with that
 * error mended meanwhile it would continue to the next, under a typing that no person is fast enough for.
 */
export const focusStays = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))

/**
 * Keeps toasts for 15 s on pages that are opened from here on, so that a test that looks for one may be held up. Playwright's own
 * clock (`page.clock`) replaces this: there they go after their 5 s.
 */
export const keepToasts = (context: BrowserContext) =>
  context.addInitScript(
    ({ toastMs, keptMs }) => {
      const { setTimeout } = window
      const keeping = (handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
        setTimeout(handler, ms === toastMs ? keptMs : ms, ...rest)
      Object.assign(window, { setTimeout: keeping })
    },
    { toastMs: 5000, keptMs: 15_000 },
  )

/** A card of a list, by its heading. */
export const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** The visible toast; its announcement to screen readers, a `status`, is gone after a second. */
export const toast = (page: Page, text: string | RegExp) =>
  page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .filter({ hasText: text })

/** Makes a page that is opened after this receive no events, and request nothing by itself. */
export const hearsNothing = (page: Page) => page.route(/\/api\/(events|conversations|notifications)\b/, () => undefined)

/** Returns the toast that is shown once the profile is stored. */
export const saved = (page: Page) => toast(page, 'Your profile has been updated successfully!')

/** Stores another address through the profile page. */
export async function saveProfile(page: Page, address: string): Promise<void> {
  await page.goto('/profile')
  await page.getByLabel('Address').fill(address)
  await Promise.all([expect(saved(page)).toBeVisible(), page.getByRole('button', { name: 'Save Changes' }).click()])
}

/** Signs in on the provider's own page, where the address is filled in already. */
export async function passProvider(page: Page, { email, password: secret }: Account): Promise<void> {
  await expect(page).toHaveURL(/\/realms\/parley\//)
  await takeShot(page, 'provider, sign in')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.locator('input[type=password]').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
