import type { Page } from '@playwright/test'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

const listed = (page: Page, name: string) => page.getByRole('list', { name: 'Fields' }).getByText(name)

async function addField(page: Page, name: string, type: string, choices = '') {
  await page.getByRole('button', { name: 'Add Field' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Field' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await page.getByTitle(type, { exact: true }).click()
  if (choices) await dialog.getByLabel('Choices').fill(choices)
  await dialog.getByRole('button', { name: 'Add Field' }).click()
  await expect(listed(page, name)).toBeVisible()
}

test('fields of the workspace are defined, filled in, shown and filtered by', async ({ page, account: _account }) => {
  await test.step('two are defined', async () => {
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'Fields and tags' }).click()
    await expect(page.getByText('No fields yet')).toBeVisible()
    await addField(page, 'Loyalty tier', 'Choice', 'Gold\nSilver')
    await addField(page, 'Birthday', 'Date')
    await inspect(page, 'contact fields')
  })

  await test.step('a contact gets values, which are shown as people read them', async () => {
    await page.goto('/contacts?q=meera+joshi')
    await page
      .getByRole('button', { name: /^Actions for Meera Joshi/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Edit Contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Contact' })
    await dialog.getByLabel(/^Birthday/).fill('1990-04-12')
    await dialog.getByRole('combobox', { name: /^Loyalty tier/ }).click()
    await page.getByTitle('Gold', { exact: true }).click()
    await inspectStanding(page, 'edit contact with fields')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Meera Joshi saved.')).toBeVisible()
  })

  await test.step('conditions offer its choices, and find the contact', async () => {
    await page.goto('/contacts?build=filter')
    const builder = page.getByRole('dialog', { name: 'Filter Contacts' })
    await builder.getByRole('combobox', { name: 'Field of condition 1' }).click()
    await page.keyboard.type('loyal')
    await page.getByTitle('Loyalty tier', { exact: true }).click()
    await builder.getByRole('combobox', { name: 'Value of condition 1' }).click()
    await page.getByTitle('Gold', { exact: true }).click()
    await expect(builder.getByText('1 contact matches.')).toBeVisible()
    await builder.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('button', { name: 'Meera Joshi', exact: true }).click()
    await expect(page.getByRole('dialog').getByText('Gold')).toBeVisible()
    await expect(page.getByRole('dialog').getByText(/Apr.* 1990/)).toBeVisible()
  })

  await test.step('a field that is deleted is back with Undo', async () => {
    await page.goto('/contacts/fields')
    await page.getByRole('button', { name: 'Actions for the field Birthday' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(listed(page, 'Birthday')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(listed(page, 'Birthday')).toBeVisible()
  })
})

const tagRow = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Tags' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })

async function editTag(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for the tag ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  return page.getByRole('dialog', { name: 'Edit Tag' })
}

test('tags get names and colours, become one, and are deleted; a segment follows; also on a phone', async ({
  page,
  account: _account,
}) => {
  await page.goto('/contacts/fields?tab=tags')
  await expect(tagRow(page, 'wholesale')).toContainText('contacts')
  const before = await tagRow(page, 'wholesale').getByRole('link').innerText()
  await inspect(page, 'contact tags')

  await test.step('another name and colour', async () => {
    const dialog = await editTag(page, 'wholesale')
    await dialog.getByLabel('Name').fill('resellers')
    await dialog.getByText('Red', { exact: true }).click()
    await inspectStanding(page, 'edit tag')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, `Renamed wholesale to resellers: ${before}.`)).toBeVisible()
    await expect(tagRow(page, 'resellers').getByRole('link')).toHaveText(before)
    await expect(tagRow(page, 'wholesale')).toHaveCount(0)
  })

  await test.step('merged into another one, and parted by Undo', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const dialog = await editTag(page, 'resellers')
    await dialog.getByLabel('Name').fill('repeat')
    await expect(dialog.getByText(/will be tagged repeat instead/)).toBeVisible()
    await inspectStanding(page, 'merge tags on a phone')
    await dialog.getByRole('button', { name: 'Merge Tags' }).click()
    await toast(page, `Renamed resellers to repeat: ${before}.`).getByRole('button', { name: 'Undo' }).click()
    await expect(tagRow(page, 'resellers').getByRole('link')).toHaveText(before)
  })

  await test.step('deleted, with a way back', async () => {
    await page.getByRole('button', { name: 'Actions for the tag resellers' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const untagged = toast(page, `Untagged ${before}: resellers.`)
    await expect(untagged).toBeVisible()
    await expect(tagRow(page, 'resellers')).toHaveCount(0)
    await untagged.getByRole('button', { name: 'Undo' }).click()
    await tagRow(page, 'resellers').getByRole('link').click()
    await expect(page.getByText(new RegExp(`of ${before}`))).toBeVisible()
  })
})
