import { demandNewPassword, disableAccount } from '../src/provider-admin.ts'
import { enterNewPassword } from '../src/provider-pages.ts'
import { emptyWorkspaces, expect, hearsNothing, logIn, logOut, passProvider, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('an account that is ended is out at once, in words, and does not come back in', async ({ page, app, account }) => {
  // The end of the session would end the page's stream of events, and take the form away before Save is pressed.
  await hearsNothing(page)
  await page.goto('/profile')
  await page.getByLabel('Address').fill('Still typing')
  await disableAccount(app, account.email)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL('/login')
  await expect(toast(page, 'Your session has ended. Log in again.')).toBeVisible()
  await logIn(page, account)
  await expect(toast(page, 'Invalid email or password')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login')
})

test('an account that must choose a new password does so on the provider’s page, and from then on in the app', async ({
  page,
  app,
  account,
}) => {
  await logOut(page)
  await demandNewPassword(app, account.email)
  await logIn(page, account)
  await passProvider(page, account)
  await enterNewPassword(page, 'another horse')
  await expect(toast(page, 'Logged in successfully!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')

  await logOut(page)
  const left: string[] = []
  page.on('framenavigated', (frame) => left.push(new URL(frame.url()).origin))
  await logIn(page, { ...account, password: 'another horse' })
  await expect(page).toHaveURL('/dashboard')
  expect(new Set(left)).toEqual(new Set([app.urls.app]))
})
