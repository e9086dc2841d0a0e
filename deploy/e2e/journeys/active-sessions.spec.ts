import { emptyWorkspaces, expect, logIn, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a session that is ended from elsewhere ends there, and only there', async ({ page, app, account, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(app.urls.app)
  await logIn(elsewhere, account)
  await expect(elsewhere).toHaveURL(/\/dashboard$/)

  await page.getByRole('link', { name: 'View Profile' }).click()
  const card = page.getByRole('region', { name: 'Where you’re signed in' })
  await expect(card.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1)
  await card.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(toast(page, 'Signed out on that device.')).toBeVisible()
  await expect(card.getByText('You are not signed in anywhere else.')).toBeVisible()

  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(/\/login$/)
  await page.reload()
  await expect(page).toHaveURL('/profile')
  await elsewhere.context().close()
})
