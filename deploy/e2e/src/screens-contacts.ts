import { expect, type Walk } from './walk.ts'

/** Contacts: the list, a selection, both forms, the import step by step, and every state. */
export async function walkContacts({ page, take }: Walk): Promise<void> {
  await page.goto('/contacts')
  await expect(page.getByText('of 8,234 contacts')).toBeVisible()
  await take('contacts')
  await page
    .getByRole('checkbox', { name: /^Select all/ })
    .first()
    .click()
  await take('contacts, selection')
  await page.goto('/contacts?tags=vip&last=30d')
  await take('contacts, filtered')
  await page.goto('/contacts?edit=contact-12')
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
  await take('contacts, edit')
  await page.goto('/contacts?contact=contact-1')
  await expect(page.getByRole('dialog').getByText('Marketing')).toBeVisible()
  await take('contacts, details')
  await page.goto('/contacts?edit=nobody')
  await expect(page.getByText('This contact could not be found')).toBeVisible()
  await take('contacts, not found')
  await page.goto('/contacts?import=1')
  await expect(page.getByText('Drop a CSV file here')).toBeVisible()
  await take('contacts, import')
  const csv = 'Name,Phone,Tags\nAsha Rao,98765 43211,vip\nNobody,12,\nPriya Sharma,+91 98200 00000,vip\n'
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(page.getByText('Match the columns')).toBeVisible()
  await take('contacts, import, columns', 'page')
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('Check the result')).toBeVisible()
  await take('contacts, import, checked')
  for (const state of ['loading', 'empty', 'error']) {
    await page.goto(`/contacts?state=${state}`)
    await take(`contacts, ${state}`)
  }
  await page.goto('/contacts?q=nobody+at+all')
  await expect(page.getByText('No contacts match')).toBeVisible()
  await take('contacts, no match')
}
