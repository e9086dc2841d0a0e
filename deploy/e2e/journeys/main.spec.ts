import { linkFrom } from '../src/mail.ts'
import { pngPicture } from '../src/picture.ts'
import { confirmAddress } from '../src/provider-pages.ts'
import { expect, fillProfile, logIn, logOut, signUp, test, toast } from './fixtures.ts'

test('a person signs up, verifies, completes the profile, comes back, and everything is still there after a restart @main', async ({
  page,
  context,
  app,
}) => {
  const account = await test.step('signs up and is asked to verify the address', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    const created = await signUp(page)
    await expect(toast(page, 'Account created! Please verify your email.')).toBeVisible()
    await expect(page.getByText(created.email)).toBeVisible()
    return created
  })

  await test.step('finds the mail in the catcher, opens its link and is told so on the page left behind', async () => {
    // The catcher's page never shows a mail that arrives between its reading of the list and its socket.
    const link = await linkFrom(app.urls.mail, account.email, 'Verify email')
    const mailPage = await context.newPage()
    await mailPage.goto(app.urls.mail)
    await expect(mailPage.getByText(account.email).first()).toBeVisible()
    // The page asks every 3 s: it may know, and have said so for its 5 s, before the provider's page is drawn.
    await Promise.all([
      expect(toast(page, 'Email Verified!')).toBeVisible({ timeout: 60_000 }),
      confirmAddress(mailPage, link).then(() => page.bringToFront()),
    ])
    await expect(page).toHaveURL('/profile-setup')
    await mailPage.close()
  })

  await test.step('completes the profile with a photo and lands on the dashboard', async () => {
    await expect(page.getByRole('heading', { name: 'Complete Your Profile' })).toBeVisible()
    const file = { name: 'me.png', mimeType: 'image/png', buffer: await pngPicture(900, 600) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Use photo' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await fillProfile(page, { first: 'Ann', last: 'Stone' })
    await page.getByLabel('Address').fill('12 Lake Road\nPune')
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await expect(toast(page, 'Your profile has been set up successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  const footer = page.getByRole('navigation').or(page.getByRole('complementary')).first()
  await test.step('sees the dashboard with name and photo, also after a reload', async () => {
    for (const look of ['first', 'after reload']) {
      await expect(page.getByText('6,580 of 25,000', { exact: false }).first(), look).toBeVisible()
      await expect(page.getByText('Ann', { exact: true }).first(), look).toBeVisible()
      await expect(footer.or(page.locator('body')).locator('img[src^="data:image/"]').first(), look).toBeVisible()
      await page.reload()
    }
  })

  await test.step('edits the profile', async () => {
    await page.getByRole('link', { name: 'View Profile' }).click()
    await expect(page.getByLabel('First Name')).toHaveValue('Ann')
    await expect(page.getByLabel('Mobile Number')).toHaveValue('9876543210')
    await page.getByLabel('First Name').fill('Anna')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Your profile has been updated successfully!')).toBeVisible()
    await expect(page.getByText('Anna', { exact: true }).first()).toBeVisible()
  })

  await test.step('signs out and in again', async () => {
    await logOut(page)
    await logIn(page, account)
    await expect(toast(page, 'Logged in successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('stops Parley with Ctrl-C, starts it again, and is still signed in', async () => {
    await app.interrupt()
    // Output printed last may be read after the end.
    await expect.poll(() => app.output()).toContain('Stopped.')
    await app.startAgain()
    await page.reload()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByText('Anna', { exact: true }).first()).toBeVisible()
    await page.goto('/profile')
    await expect(page.getByLabel('Last Name')).toHaveValue('Stone')
    await expect(page.getByLabel('Address')).toHaveValue('12 Lake Road\nPune')
  })

  await test.step('signs in again after the restart, too', async () => {
    await logOut(page)
    await logIn(page, account)
    await expect(page).toHaveURL('/dashboard')
  })
})
