import { linkFrom } from '../src/mail.ts'
import { chooseNewPassword, confirmAddress } from '../src/provider-pages.ts'
import { emptyWorkspaces, expect, logIn, newEmail, password, signUp, test, toast, verifyByMail } from './fixtures.ts'

test.use(emptyWorkspaces)

test.describe('signing in', () => {
  test('a wrong password says so in a toast, keeps what was typed and signs nobody in @gate', async ({ page, app }) => {
    await logIn(page, { email: 'demo@parley.local', password: 'not the one' })
    const message = toast(page, 'Invalid email or password')
    await expect(message).toBeVisible()
    await expect(message).toContainText('Error')
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('demo@parley.local')
    await page.getByLabel('Password', { exact: true }).fill(app.demoPassword)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard')
  })

  test('the demo account has a verified address and a complete profile', async ({ page, app }) => {
    await logIn(page, { email: 'demo@parley.local', password: app.demoPassword })
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/profile')
    await expect(page.getByLabel('First Name')).toHaveValue('Demo')
    await expect(page.getByLabel('Last Name')).toHaveValue('Owner')
  })

  test('an unverified account only gets as far as verify-email', async ({ page }) => {
    const account = await signUp(page)
    await page.getByRole('link', { name: 'Back to login' }).click()
    await expect(page).toHaveURL('/login')
    await logIn(page, account)
    await expect(page).toHaveURL('/verify-email')
    for (const path of ['/dashboard', '/profile', '/profile-setup']) {
      await page.goto(path)
      await expect(page).toHaveURL('/verify-email')
    }
  })

  test('sign-up checks the mismatch first, then the length, and takes six characters', async ({ page }) => {
    await page.goto('/signup')
    await page.getByLabel('Email', { exact: true }).fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await page.getByLabel('Confirm Password', { exact: true }).fill('1234')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(toast(page, 'Passwords do not match')).toBeVisible()
    await expect(page.getByRole('main').getByText('Passwords do not match')).toBeVisible()
    await page.getByLabel('Confirm Password', { exact: true }).fill('12345')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(toast(page, 'Password must be at least 6 characters')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill('k7#pQz')
    await page.getByLabel('Confirm Password', { exact: true }).fill('k7#pQz')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL('/verify-email')
  })

  test('a taken address is "Failed to create account"', async ({ page }) => {
    await page.goto('/signup')
    await page.getByLabel('Email', { exact: true }).fill('demo@parley.local')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(toast(page, 'Failed to create account')).toBeVisible()
    await expect(page).toHaveURL('/signup')
  })

  test('the verification mail can be sent again, once', async ({ page, app }) => {
    const { email } = await signUp(page)
    await linkFrom(app.urls.mail, email, 'Verify email')
    await page.getByRole('button', { name: /resend/i }).click()
    const sent = page.getByRole('button', { name: 'Email Sent!' })
    await expect(sent).toBeDisabled()
    await verifyByMail(page, app.urls.mail, email)
    await expect(page).toHaveURL('/profile-setup')
  })

  test('the mail link may be opened in another browser', async ({ page, app, browser }) => {
    const { email } = await signUp(page)
    const elsewhere = await (await browser.newContext()).newPage()
    await confirmAddress(elsewhere, await linkFrom(app.urls.mail, email, 'Verify email'))
    await elsewhere.context().close()
    await expect(page).toHaveURL('/profile-setup')
  })

  test('a forgotten password is set anew through the mail', async ({ page, app, account }) => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('link', { name: /forgot password/i }).click()
    // The login page has a field of the same name, and stays until the next one has loaded.
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    await page.getByLabel('Email', { exact: true }).fill(account.email)
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const link = await linkFrom(app.urls.mail, account.email, 'Update Your Account')
    await chooseNewPassword(page, link, 'a new password')
    await page.getByRole('link').first().click()
    await expect(page).toHaveURL(`${app.urls.app}/login`)
    await logIn(page, account)
    await expect(toast(page, 'Invalid email or password')).toBeVisible()
    await logIn(page, { ...account, password: 'a new password' })
    await expect(page).toHaveURL('/dashboard')
  })

  test('an unknown address gets the same answer', async ({ page }) => {
    await page.goto('/forgot-password')
    await page.getByLabel('Email', { exact: true }).fill(newEmail())
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  })
})
