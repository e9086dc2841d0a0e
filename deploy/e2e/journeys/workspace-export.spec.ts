import { readFile } from 'node:fs/promises'
import { password } from '../src/accounts.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

test('an owner exports the workspace, is told by the bell, downloads the file and deletes it', async ({
  page,
  account: _account,
}) => {
  await page.goto('/settings?tab=account')
  const card = page.getByRole('region', { name: 'Export Workspace' })
  await card.getByRole('button', { name: 'Export Workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your Password', { exact: true }).fill(password)
  await inspectStanding(page, 'settings export workspace')
  await dialog.getByRole('button', { name: 'Start Export' }).click()
  await expect(card.getByRole('link', { name: 'Download' })).toBeVisible({ timeout: 60_000 })

  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText('The export of the workspace is ready').click()
  await expect(page).toHaveURL(/tab=account#export/)
  await expect(card.getByRole('link', { name: 'Download' })).toBeInViewport()
  await inspect(page, 'settings with an export')

  const begun = page.waitForEvent('download')
  await card.getByRole('link', { name: 'Download' }).click()
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/^parley-workspace-\d{4}-\d\d-\d\d\.zip$/)
  const bytes = await readFile(await download.path())
  // A ZIP file: its first entry is named after its 30 bytes of header.
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(bytes.includes('messages.ndjson')).toBe(true)
  expect(bytes.includes('manifest.json')).toBe(true)

  await card.getByRole('button', { name: 'Delete File' }).click()
  await expect(card.getByText('File deleted')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Download' })).toHaveCount(0)
})
