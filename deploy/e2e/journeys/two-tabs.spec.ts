import type { Page } from '@playwright/test'
import { inspectStanding } from '../src/inspect.ts'
import { emptyWorkspaces, expect, saved, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const save = (tab: Page) => tab.getByRole('button', { name: 'Save Changes' }).click()
const firstName = (tab: Page) => tab.getByRole('textbox', { name: 'First Name' })

test('of two tabs that change the same field of the profile the later one is asked', async ({
  page,
  context,
  account: _account,
}) => {
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto('/profile')
  await expect(firstName(page)).not.toHaveValue('')

  await firstName(other).fill('Meera')
  await other.getByLabel('Address').fill('2 Lake Road')
  await save(other)
  await expect(saved(other)).toBeVisible()

  await page.bringToFront()
  await page.setViewportSize({ width: 390, height: 600 })
  await firstName(page).fill('Aisha')
  await page.getByRole('heading', { name: /^Where you/ }).scrollIntoViewIfNeeded()
  await save(page)
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'This profile was changed elsewhere while you were editing' })
  await expect(notice).toBeInViewport()
  await expect(firstName(page)).toHaveValue('Aisha')
  await expect(page.getByLabel('Address')).toHaveValue('2 Lake Road')
  await inspectStanding(page, 'profile that was changed elsewhere')

  await notice.getByRole('radio', { name: /^Theirs/ }).click()
  await expect(firstName(page)).toHaveValue('Meera')
  await notice.getByRole('radio', { name: /^Yours/ }).click()
  await save(page)
  await expect(saved(page)).toBeVisible()
  await expect(notice).toBeHidden()
  const user = await (await page.request.get('/api/auth/user')).json()
  expect(user).toMatchObject({ firstName: 'Aisha', address: '2 Lake Road' })
})
