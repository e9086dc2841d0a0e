import { inspect } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

test('settings: tabs by keyboard, switches that stay, and no false success', async ({ page, viewer: _viewer }) => {
  const box = (name: string) => page.getByRole('textbox', { name, exact: true })

  await test.step('tabs by keyboard; back returns to the one before', async () => {
    await page.goto('/settings')
    await page.getByRole('tab', { name: 'API Credentials' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings?tab=account')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings?tab=notifications')
    await expect(page.getByRole('tab', { name: 'Notifications' })).toBeFocused()
  })

  await test.step('a switch counts at once and is there on the way back', async () => {
    const weekly = page.getByRole('switch', { name: 'Weekly Reports' })
    await expect(weekly).not.toBeChecked()
    await weekly.focus()
    await page.keyboard.press('Space')
    await expect(weekly).toBeChecked()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await expect(page).toHaveURL('/webhooks')
    await page.goBack()
    await expect(weekly).toBeChecked()
    await page.goBack()
    await expect(page.getByRole('tab', { name: 'Account' })).toHaveAttribute('aria-selected', 'true')
  })

  await test.step('a password that does not match is named; another one is taken with the right current one alone', async () => {
    await box('Current Password').fill('not my password')
    await box('New Password').fill('battery staple')
    await box('Confirm New Password').fill('battery')
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByText('Passwords do not match')).toBeVisible()
    await box('Confirm New Password').fill('battery staple')
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByText('That is not your password.')).toBeVisible()
  })

  await test.step('what was typed is not lost by a slip', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect(box('Confirm New Password')).toHaveValue('battery staple')
  })
})

test('settings have no axe violation in any tab', async ({ page, viewer: _viewer }) => {
  for (const path of ['', '?tab=account', '?tab=notifications', '?tab=billing', '?tab=billing&plans=1', '?tab=team']) {
    await page.goto(`/settings${path}`)
    await inspect(page, `settings${path}`)
  }
})
