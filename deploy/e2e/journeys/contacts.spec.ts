import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
async function exported(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: 'Export contacts' }).getByRole('button', { name: 'Start export' }).click(),
  ])
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(file.suggestedFilename()).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync(await file.path(), 'utf8')
  expect(text.startsWith('\uFEFFName,Phone,Tags,')).toBe(true)
  return text
}
const selection = (page: Page) => page.getByRole('region', { name: 'Selection' })

test('contacts are found, selected, changed and exported @gate', async ({ page, account: _account }) => {
  await page.goto('/contacts')
  await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()

  await test.step('pages, and the way back', async () => {
    await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('26–50 of 8,234 contacts')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(26)
    await page.reload()
    await expect(page.getByText('26–50 of 8,234 contacts')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(26)
    await page.goBack()
    await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
  })

  await test.step('a segment and a filter narrow the list; both are in the address', async () => {
    await page.getByRole('button', { name: /^VIP/ }).click()
    await expect(page).toHaveURL(/segment=vip/)
    await expect(page.getByRole('button', { name: /^VIP/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText(/1–25 of 4\d\d contacts/)).toBeVisible()
    await page.goto('/contacts?tags=vip,lead&last=30d')
    await expect(page.getByRole('button', { name: 'Remove filter Last contact: Last 30 days' })).toBeVisible()
    await page.getByRole('button', { name: 'Remove filter Tag: lead' }).click()
    await expect(page).toHaveURL(/tags=vip&/)
    await page.goto('/contacts?q=nobody+at+all')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
  })

  await test.step('by keyboard alone: search, select a range, tag it, undo', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('meera joshi')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/q=meera\+joshi/)
    // The list from before stays until the found ones take its place, and with it the row that has the focus.
    await expect(page.getByText('1–25 of 8,234 contacts')).toHaveCount(0)
    await expect(row(page, 'Meera Joshi').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/contacts')
    await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+X')
    await expect(selection(page).getByRole('status')).toHaveText('3 selected')
    await page.keyboard.press('Escape')
    await expect(selection(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/contact=[0-9a-f]{24}/)
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Conversation' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await expect(page.getByRole('dialog', { name: 'Edit Contact' })).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('a tag for a range, taken back', async () => {
    await page.getByRole('checkbox', { name: 'Select Priya Sharma' }).click()
    await page.getByRole('checkbox', { name: 'Select Ananya Iyer' }).click({ modifiers: ['Shift'] })
    await selection(page).getByRole('button', { name: 'Add Tag' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('diwali')
    await expect(page.getByTitle('diwali')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await expect(toast(page, 'Tagged 3 contacts: diwali.')).toBeVisible()
    // The row shows two tags and counts the others.
    await expect(page.getByRole('table').getByText('diwali')).toHaveCount(2)
    await expect(row(page, 'Priya Sharma').first()).toContainText('+2')
    await toast(page, 'Tagged').getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('table').getByText('diwali')).toHaveCount(0)
  })

  await test.step('everything across pages is deleted after a question, and comes back', async () => {
    await page.getByRole('button', { name: /^VIP/ }).click()
    await expect(page.getByText(/1–25 of 4\d\d contacts/)).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all contacts on this page' }).click()
    await selection(page)
      .getByRole('button', { name: /^Select all 4\d\d$/ })
      .click()
    await selection(page).getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: /^Delete 4\d\d contacts\?/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect(page.getByText('No contacts match')).toBeVisible()
    await toast(page, /4\d\d contacts deleted/)
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect(page.getByText(/1–25 of 4\d\d contacts/)).toBeVisible()
    await page.getByRole('button', { name: /^All Contacts/ }).click()
    await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
  })

  await test.step('a number that another contact has is refused beside the field, with a way there', async () => {
    await page.getByRole('button', { name: 'Add Contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Contact' })
    await dialog.getByLabel('Name', { exact: true }).fill('Asha Rao')
    await dialog.getByLabel('Phone', { exact: true }).fill('98200 00000')
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await expect(dialog.getByText('Priya Sharma already has this phone number.')).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'Open Priya Sharma' })).toBeVisible()
    await dialog.getByLabel('Phone', { exact: true }).fill('98765 43210')
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await expect(toast(page, 'Asha Rao added.')).toBeVisible()
    await expect(page.getByRole('row').nth(1)).toContainText('Asha Rao')
    await expect(page.getByText('1–25 of 8,235 contacts')).toBeVisible()
  })

  await test.step('the export holds what the filter shows, as text that no spreadsheet runs', async () => {
    await row(page, 'Asha Rao').first().getByRole('button', { name: 'Asha Rao', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Edit Contact' }).click()
    await page.getByLabel('Name', { exact: true }).fill('=HYPERLINK("http://x")')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'saved.')).toBeVisible()
    await page.getByRole('button', { name: 'Close details' }).click()
    await page.getByRole('searchbox').fill('hyperlink')
    await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
    expect(await exported(page)).toContain('"\'=HYPERLINK(""http://x"")",+91 98765 43210,')
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: /^VIP/ }).click()
    await expect(page.getByText(/1–25 of 4\d\d contacts/)).toBeVisible()
    const lines = (await exported(page)).trim().split('\r\n')
    expect(lines.length).toBeGreaterThan(400)
    expect(lines.slice(1).every((line) => /\+91 \d{5} \d{5}/.test(line) && line.includes('vip'))).toBe(true)
  })
})

test('an export goes on without its tab and is found again, as a workbook too; also on a phone', async ({
  page,
  context,
  account: _account,
}) => {
  await page.goto('/contacts')
  await expect(page.getByText('of 8,234 contacts')).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export contacts' })
  await expect(dialog).toContainText('8,234 contacts, with tags and attributes.')
  await dialog.getByRole('radio', { name: 'Excel workbook' }).check()
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/contact-jobs/exports') && response.ok()),
    dialog.getByRole('button', { name: 'Start export' }).click(),
  ])
  await page.close()

  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto('/contacts')
  await expect(phone.getByText('of 8,234 contacts')).toBeVisible()
  await phone.getByRole('button', { name: 'Export' }).click()
  const link = phone.getByRole('link', { name: /^Download contacts-\S+\.xlsx, 8,234 contacts$/ })
  await expect(link).toBeVisible()
  const [file] = await Promise.all([phone.waitForEvent('download'), link.click()])
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await inspectStanding(phone, '/contacts, exporting')
})

test('every state of the contacts has no axe violation, and a deep link to nobody leads back', async ({
  page,
  account: _account,
}) => {
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Priya Sharma', exact: true }).first().click()
  await expect(page).toHaveURL(/contact=[0-9a-f]{24}/)
  const id = new URL(page.url()).searchParams.get('contact')
  for (const query of ['', `?edit=${id}`, `?contact=${id}`, `/${id}`, '/nobody', '?import=1', '?q=nobody+at+all']) {
    await page.goto(`/contacts${query}`)
    await inspect(page, `/contacts${query}`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/contacts?contact=${id}`)
  await page.getByRole('link', { name: 'Open page' }).click()
  await expect(page).toHaveURL(`/contacts/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Conversations' }).getByRole('link')).toBeVisible()
  await inspect(page, '/contacts/:id on a phone')
  await page.goto('/contacts?edit=nobody')
  await page.getByRole('button', { name: 'Show all contacts' }).click()
  await expect(page).toHaveURL('/contacts')
  await page.getByRole('checkbox', { name: 'Select Priya Sharma' }).click()
  await expect(selection(page).getByRole('status')).toHaveText('1 selected')
})
