import { readFileSync } from 'node:fs'
import { inspect } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

const good = [
  'Name;Phone;Tags;City',
  'Asha Rao;98765 43211;vip, diwali;Pune',
  '"Zoë ""Z"" K";+44 7911 123456;;=1+1',
  'Wrong Number;123;;',
  'Twice;+91 98765 43211;;',
  'Priya S;+91 98200 00000;vip;',
  'Ragged;9876543212;a;b;c;d',
].join('\r\n')

test('a file is imported with a report for each row, and the import is undone', async ({ page, account: _account }) => {
  await page.goto('/contacts?import=1')
  const input = page.getByLabel('CSV file')
  const choose = (name: string, content: string | Buffer) =>
    input.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

  await test.step('files that cannot be imported are refused in words', async () => {
    for (const [name, content, words] of [
      ['empty.csv', '', 'The file is empty.'],
      ['header.csv', 'Name,Phone\n', 'but no rows below them'],
      ['archive.csv', 'PK\u0003\u0004', 'damaged or protected'],
      ['picture.csv', Buffer.from([0x89, 0x50, 0, 1, 2]), 'is not a text file'],
    ] as const) {
      await choose(name, content)
      await expect(page.getByRole('alert')).toContainText(words)
    }
    await choose('quote.csv', `Name,Phone\n"Asha,1\n${'x,2\n'.repeat(400_000)}`)
    await expect(page.getByRole('alert')).toContainText('a quote that is never closed')
  })

  await test.step('another encoding is read, and said', async () => {
    await choose('latin.csv', Buffer.from('Name,Phone\nZo\u00eb,9876543213\n', 'latin1'))
    await expect(page.getByText('The file does not say which character encoding it uses.')).toBeVisible()
    await expect(page.getByTitle('Western European (Windows-1252)')).toContainText('Zoë,9876543213')
    await expect(page.getByText('Zoë', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Choose another file' }).click()
  })

  await test.step('columns are matched, nothing is changed by the check', async () => {
    await choose('people.csv', good)
    await expect(page.getByText('separated by semicolons')).toBeVisible()
    await inspect(page, 'an import, its columns')
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect(page.getByText('Check the result')).toBeVisible()
    await inspect(page, 'an import, checked')
    const problems = page.getByRole('region', { name: 'Rows that are left out' })
    await expect(problems.getByRole('listitem')).toHaveText([
      /Line 4.*not a valid phone number.*123/,
      /Line 5.*same phone number is on line 2/,
    ])
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      problems.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    expect(readFileSync(await report.path(), 'utf8')).toContain(
      '\r\n4,invalid,Wrong Number,,,123,This is not a valid phone number.',
    )
  })

  await test.step('the import waits for its person; then it is imported, shown and undone', async () => {
    await page
      .getByRole('radiogroup', { name: 'Rows' })
      .getByText(/^Updated/)
      .click()
    await expect(page.getByRole('region', { name: 'Changed contacts' }).getByRole('listitem')).toContainText('Priya S')
    await page.getByRole('radiogroup', { name: 'Rows' }).getByText(/^New/).click()
    await expect(page.getByRole('region', { name: 'New contacts' })).toContainText('There is no column for c, d.')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('button', { name: 'Contacts' }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('button', { name: /^people\.csv/ }).click()
    await page.getByRole('button', { name: 'Import 4 contacts' }).click()
    await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
    await page.getByRole('button', { name: 'Show contacts' }).click()
    await expect(page.getByText('1–4 of 4 contacts')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove filter Import: people.csv' })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Asha Rao' }).first()).toContainText('diwali')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await choose('more.csv', 'Name,Phone\nRavi,9876543219\n')
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: 'Import 1 contact' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('heading', { name: 'Import undone' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all contacts' }).click()
    await expect(page.getByText('1–25 of 8,237 contacts')).toBeVisible()
  })
})

test('an import goes on without its page; on a phone it is undone', async ({ page, account: _account }) => {
  const rows = Array.from({ length: 3000 }, (_, index) => `Person ${index},+9170${String(index).padStart(8, '0')}`)
  const buffer = Buffer.from(['Name,Phone', ...rows].join('\n'))
  await page.goto('/contacts?import=1')
  await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('button', { name: 'Import 3,000 contacts' }).click({ timeout: 90_000 })
  await expect(page.getByRole('heading', { name: /^Import(ing contacts| finished)$/ })).toBeVisible()
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible({ timeout: 90_000 })
  await page.getByRole('button', { name: 'Show contacts' }).click()
  await expect(page.getByText('of 3,000 contacts')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address)
  await inspect(page, 'an import on a phone')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Import undone' })).toBeVisible({ timeout: 90_000 })
  await page.getByRole('button', { name: 'Show all contacts' }).click()
  await expect(page.getByText('of 8,234 contacts')).toBeVisible()
})
