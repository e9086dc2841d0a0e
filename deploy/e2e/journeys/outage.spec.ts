import type { Page } from '@playwright/test'
import type { AppProcess } from '../src/app-process.ts'
import { emptyWorkspaces, expect, logIn, saved, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save Changes' })

/** Presses Save. @returns the answer of the server. */
async function save(page: Page) {
  // A slow answer is the point here: the app's own limits end every wait.
  const [answer] = await Promise.all([
    page.waitForResponse('**/api/auth/profile', { timeout: 30_000 }),
    saveButton(page).click(),
  ])
  return answer
}

/** Saves until it is stored; every failure on the way keeps page, person and text. */
async function saveUntilStored(page: Page, address: string): Promise<void> {
  await expect(async () => {
    await expect(page).toHaveURL('/profile')
    await expect(page.getByLabel('Address')).toHaveValue(address)
    expect((await save(page)).status()).toBe(200)
  }).toPass()
  await expect(saved(page)).toBeVisible()
}

/** Does something while a process is frozen, and resumes the process in any case. */
async function whileFrozen(app: AppProcess, part: string, act: () => Promise<void>): Promise<void> {
  app.signal(part, 'SIGSTOP')
  try {
    await act()
  } finally {
    app.signal(part, 'SIGCONT')
  }
}

for (const { part, codes } of [
  { part: 'redis', codes: /^session_store_unavailable$/ },
  { part: 'mongodb', codes: /^(service_unavailable|upstream_timeout)$/ },
])
  test(`${part} frozen, then killed, under an open page: said calmly, nothing is lost, and it goes on without a reload`, async ({
    page,
    app,
    account: _account,
  }) => {
    // The sign-in is recorded by then: what fails is the saving alone, and nothing else is said in its place.
    await Promise.all([page.waitForResponse('**/api/auth/sync'), page.goto('/profile')])
    await page.getByLabel('Address').fill('Through the frost')
    await whileFrozen(app, part, async () => {
      // A session in use is answered for from memory for a second (decision 011).
      if (part === 'redis')
        await expect.poll(async () => (await page.request.get('/api/auth/user')).status()).toBeGreaterThan(500)
      // The toast goes away after five seconds even while this process is held up: it is looked for from the start.
      const [answer] = await Promise.all([save(page), expect(toast(page, /again shortly/)).toBeVisible()])
      expect([503, 504]).toContain(answer.status())
      const error = await answer.json()
      expect(error).toEqual({
        code: expect.stringMatching(codes),
        message: expect.stringMatching(/again shortly/),
        requestId: expect.any(String),
      })
      await expect(page).toHaveURL('/profile')
    })
    await saveUntilStored(page, 'Through the frost')

    await page.getByLabel('Address').fill('Through the fire')
    app.signal(part, 'SIGKILL')
    await saveUntilStored(page, 'Through the fire')
    await page.reload()
    await expect(page.getByLabel('Address')).toHaveValue('Through the fire')
  })

test('a page that is loaded while nobody can say who is signed in waits, and goes on by itself', async ({
  page,
  app,
  account: _account,
}) => {
  await whileFrozen(app, 'redis', async () => {
    await page.reload()
    await expect(page.getByText('Parley cannot be reached right now. Trying again…').first()).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })
  await expect(page.getByText('Recent Activity')).toBeVisible()
})

test('a provider that is slow, frozen or killed: the signed-in go on, and signing in is put off in words', async ({
  page,
  app,
  account,
  browser,
}) => {
  const visitor = await (await browser.newContext({ baseURL: app.urls.app })).newPage()
  await page.goto('/profile')
  await whileFrozen(app, 'identity-provider', async () => {
    const message = 'Sign-in is not available right now. Try again shortly.'
    const answered = Promise.all([
      visitor.waitForResponse('**/auth/token'),
      expect(toast(visitor, message)).toBeVisible(),
    ])
    await logIn(visitor, account)
    await page.getByLabel('Address').fill('While signing in is away')
    expect((await save(page)).status()).toBe(200)
    const [answer] = await answered
    expect(answer.status()).toBe(503)
    expect(await answer.json()).toEqual({ error: 'temporarily_unavailable', error_description: message })
    await expect(visitor.getByLabel('Email', { exact: true })).toHaveValue(account.email)
    await expect(visitor.getByLabel('Password', { exact: true })).toHaveValue(account.password)
  })
  await visitor.getByRole('button', { name: 'Log In' }).click()
  await expect(visitor).toHaveURL('/dashboard')

  app.signal('identity-provider', 'SIGKILL')
  await page.reload()
  await expect(page.getByLabel('Address')).toHaveValue('While signing in is away')
  await visitor.getByRole('button', { name: 'Logout' }).click()
  await expect(visitor).toHaveURL('/login')
  await expect(async () => {
    await logIn(visitor, account)
    await expect(visitor).toHaveURL('/dashboard')
  }).toPass({ timeout: 120_000 })
  await visitor.context().close()
})
