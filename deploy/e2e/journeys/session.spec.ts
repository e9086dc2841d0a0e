import { emptyWorkspaces, expect, logIn, logOut, signUp, test } from './fixtures.ts'

test.use(emptyWorkspaces)

test.describe('the guard', () => {
  test('sends a signed-out visitor to login from every protected screen', async ({ page }) => {
    for (const path of ['/dashboard', '/profile', '/profile-setup']) {
      await page.goto(path)
      await expect(page).toHaveURL('/login')
    }
    await page.goto('/verify-email')
    await expect(page).toHaveURL('/signup')
  })

  test('sends a user with a profile from the landing page and the setup to the dashboard, but leaves login alone', async ({
    page,
    account: _account,
  }) => {
    for (const path of ['/', '/profile-setup', '/verify-email']) {
      await page.goto(path)
      await expect(page).toHaveURL('/dashboard')
    }
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible()
    await expect(page).toHaveURL('/login')
  })

  test('any other path is the 404 page with a way home', async ({ page }) => {
    await page.goto('/no/such/page')
    await expect(page.getByText('404 Page Not Found')).toBeVisible()
    await expect(page).toHaveTitle(/Parley/)
  })

  test('a reload shows loading and then the page, never the login page', async ({ page, account: _account }) => {
    const mayBeKnown = Promise.withResolvers<void>()
    await page.route('**/auth/session', async (route) => {
      await mayBeKnown.promise
      await route.continue()
    })
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
    await page.reload({ waitUntil: 'commit' })
    await expect(page.getByText('Loading...').first()).toBeVisible()
    mayBeKnown.resolve()
    await expect(page.getByRole('heading', { name: 'Dashboard' }).first()).toBeVisible()
    expect(visited).not.toContain('/login')
  })

  test('nothing private shows after signing out and going back', async ({ page, account: _account }) => {
    await page.goto('/profile')
    await logOut(page)
    await page.goBack()
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('First Name')).toBeHidden()
  })
})

test.describe('two tabs', () => {
  test('signing out in one signs out the other', async ({ page, context, account: _account }) => {
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByRole('heading', { name: 'Dashboard' }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(other).toHaveURL('/login')
  })

  test('signing in in one is enough for the other', async ({ page, context, account }) => {
    await logOut(page)
    const other = await context.newPage()
    await other.goto('/login')
    await logIn(page, account)
    await expect(page).toHaveURL('/dashboard')
    await other.goto('/dashboard')
    await expect(other).toHaveURL('/dashboard')
    await other.goto('/profile')
    await other.getByLabel('Last Name').fill('Stone-Hill')
    await other.getByRole('button', { name: 'Save Changes' }).click()
    await expect(other.getByText('Your profile has been updated successfully!').first()).toBeVisible()
  })

  test('another user signing in in one shows that user in the other, never a mixture', async ({
    page,
    context,
    account,
    app,
  }) => {
    const other = await context.newPage()
    await other.goto('/profile')
    await expect(other.getByLabel('First Name')).toHaveValue('Ann')
    await page.goto('/login')
    await logIn(page, { email: 'demo@parley.local', password: app.demoPassword })
    await expect(page).toHaveURL('/dashboard')
    await other.bringToFront()
    await expect(other.getByLabel('First Name')).toHaveValue('Demo')
    expect(account.email).not.toBe('demo@parley.local')
  })
})

test('a session that ended elsewhere ends on the next call, in words', async ({ page, context, account: _account }) => {
  await context.clearCookies()
  await page.goto('/profile')
  await expect(page).toHaveURL('/login')
})

test('offline is said calmly, nothing is lost, and the app recovers by itself', async ({
  page,
  context,
  account: _account,
}) => {
  await page.goto('/profile')
  await page.getByLabel('First Name').fill('Annabel')
  await context.setOffline(true)
  await expect(page.getByText(/offline/i).first()).toBeVisible()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Failed to update profile').first()).toBeVisible()
  await expect(page.getByLabel('First Name')).toHaveValue('Annabel')
  await context.setOffline(false)
  await expect(page.getByText(/offline/i)).toHaveCount(0)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Your profile has been updated successfully!').first()).toBeVisible()
})

test('a server that cannot be reached is said, what was typed stays, and saving again works', async ({
  page,
  account: _account,
}) => {
  await page.goto('/profile')
  await page.getByLabel('First Name').fill('Annabel')
  await page.route('**/api/auth/profile', (route) => route.abort())
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Failed to update profile').first()).toBeVisible()
  await expect(page.getByLabel('First Name')).toHaveValue('Annabel')
  await page.unroute('**/api/auth/profile')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Your profile has been updated successfully!').first()).toBeVisible()
})

test('the browser holds no token in storage and sends nothing to another origin', async ({ page, app }) => {
  const origins = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith('blob:'))
      origins.add(new URL(request.url()).origin)
  })
  await signUp(page)
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(stored).not.toMatch(/eyJ|sid-|token/i)
  expect([...origins]).toEqual([app.urls.app])
})
