import { expect, test, toast } from './fixtures.ts'

test.describe('the frame', () => {
  test('the sidebar leads to every screen, and marks the one in view', async ({ page, viewer: _viewer }) => {
    const nav = page.getByRole('navigation', { name: 'Main navigation' })
    const links = await nav.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(links).toHaveLength(11)
    for (const href of links) {
      await nav.locator(`a[href="${href}"]`).click()
      await expect(nav.locator('[aria-current="page"]')).toHaveAttribute('href', href)
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/404|went wrong/)
      await expect(page.locator('main')).not.toBeEmpty()
    }
  })

  test('dark is the default whatever the system says; the choice is kept and there at first paint', async ({
    page,
    viewer: _viewer,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
    await page.reload({ waitUntil: 'commit' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
  })

  test('the sidebar is 16rem, collapses to 3rem with Ctrl+b, and stays so', async ({
    page,
    context,
    viewer: _viewer,
  }) => {
    const sidebar = page.getByRole('complementary').or(page.locator('aside')).first()
    await expect(sidebar).toBeVisible()
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(256)
    await page.keyboard.press('Control+b')
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(48)
    const daysKept = async () => {
      const cookie = (await context.cookies()).find(({ name }) => name === 'sidebar_state')
      return Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)
    }
    await expect.poll(daysKept).toBe(7)
    await page.reload()
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(48)
    // Its keys are heard once the screen inside it is there.
    await expect(page.getByText('Recent Activity')).toBeVisible()
    await page.keyboard.press('Control+b')
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(256)
  })

  test('on a phone it is a drawer of 18rem', async ({ page, viewer: _viewer }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page
      .getByRole('button', { name: /menu|sidebar|navigation/i })
      .first()
      .click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('link', { name: 'Dashboard' })).toBeVisible()
    await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(288)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  })
})

test('what is typed before the command menu is there is not lost, nor replaced by what follows', async ({
  page,
  viewer: _viewer,
}) => {
  // Nothing is fetched ahead, so that Ctrl+K has to wait for the menu.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto('/contacts')
  await expect(page.getByText('Priya Sharma').first()).toBeVisible()
  const menuMayCome = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await menuMayCome.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('templ')
  menuMayCome.resolve()
  const field = page.getByRole('dialog', { name: 'Command menu' }).getByRole('combobox')
  await expect(field).toHaveValue('templ')
  await expect(field).toBeFocused()
  await page.keyboard.type('ates')
  await expect(field).toHaveValue('templates')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/templates$/)
})

test('one toast at a time; F8 reaches it; it goes by itself', async ({ page, account: _account }) => {
  await page.goto('/profile')
  const save = page.getByRole('button', { name: 'Save Changes' })
  for (const name of ['Anna', 'Annabel']) {
    await page.getByLabel('First Name').fill(name)
    // The first toast is no answer to the second save.
    await Promise.all([page.waitForResponse('**/api/auth/profile'), save.click()])
    await expect(toast(page, 'Your profile has been updated successfully!')).toBeVisible()
  }
  await expect(page.getByText('Your profile has been updated successfully!').filter({ visible: true })).toHaveCount(1)
  await page.keyboard.press('F8')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=region],ol') !== null)).toBe(true)
  await page.keyboard.press('Shift+Tab')
  await page.getByLabel('First Name').focus()
  await page.mouse.move(0, 0)
  await expect(page.getByText('Your profile has been updated successfully!').filter({ visible: true })).toHaveCount(0)
})

test('the photo field refuses what is not a picture, in words', async ({ page, viewer: _viewer }) => {
  await page.goto('/profile')
  const file = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('these are notes') }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText(/could not|cannot|not a picture|not an image/i).first()).toBeVisible()
})

test('a field that is wrong is named beside it, and gets the focus', async ({ page, viewer: _viewer }) => {
  await page.goto('/profile')
  await page.getByLabel('First Name').fill('  ')
  await page.getByLabel('Mobile Number').fill('12')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Enter your first name.')).toBeVisible()
  await expect(page.getByLabel('First Name')).toBeFocused()
})
