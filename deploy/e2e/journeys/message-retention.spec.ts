import { inspect } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('an owner lets messages go after half a year, sees what would go, and takes it back', async ({
  page,
  account: _account,
}) => {
  await page.goto('/settings?tab=account')
  const card = page.getByRole('region', { name: 'How Long Messages Are Kept' })
  await card.getByLabel('Keep messages').click()
  await page.getByTitle('6 months').click()
  await expect(card.getByText(/No message was sent before .* yet\./)).toBeVisible()
  await inspect(page, 'settings message retention preview')
  await card.getByRole('button', { name: 'Save How Long Messages Are Kept' }).click()
  await expect(toast(page, 'The setting is saved.')).toBeVisible()
  await expect(card.getByRole('note')).toContainText('messages are kept for 6 months')
  await inspect(page, 'settings message retention waiting')

  await page.reload()
  await card.getByRole('button', { name: 'Take It Back' }).click()
  await expect(card.getByRole('note')).toHaveCount(0)
  await page.goto('/settings?tab=audit')
  await expect(page.getByText('Changed how long messages are kept').first()).toBeVisible()
})
