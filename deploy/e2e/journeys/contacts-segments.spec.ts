import type { Page } from '@playwright/test'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

const builder = (page: Page) => page.getByRole('dialog', { name: 'Filter Contacts' })
const saved = (page: Page) => page.getByRole('list', { name: 'Saved segments' })

/** An approximate number is shown where counting takes long. */
const fewContacts = /^1–25 of (about )?\d\d contacts$/

const openOptions = (page: Page) => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')

/** Chooses from an antd select by keyboard, as its list may be long. */
async function choose(page: Page, control: string, option: string) {
  const select = page.getByRole('combobox', { name: control, exact: true })
  await select.click()
  await openOptions(page).getByTitle(option, { exact: true }).click()
}

/** Writes a tag into the first condition and leaves the field: the list below covers what stands there while it is open. */
async function writeTag(page: Page, tag: string) {
  await builder(page).getByRole('combobox', { name: 'Value of condition 1' }).fill(tag)
  await expect(openOptions(page).getByTitle(tag.toLowerCase(), { exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(openOptions(page)).toHaveCount(0)
}

test('conditions filter the contacts and become a segment, which is changed, deleted and brought back', async ({
  page,
  account: _account,
}) => {
  await page.goto('/contacts')
  await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()

  await test.step('a condition and a group, counted while they are written', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'More conditions…' }).click()
    await expect(builder(page).getByRole('status')).toHaveText(
      'Complete the conditions to see how many contacts match.',
    )
    await writeTag(page, 'VIP')
    await expect(builder(page).getByRole('status')).toHaveText(/^4\d\d contacts match\.$/)
    await builder(page).getByRole('button', { name: 'Add group' }).click()
    // The added condition has the focus.
    await expect(page.getByRole('combobox', { name: 'Field of condition 2.1' })).toBeFocused()
    await choose(page, 'Field of condition 2.1', 'City')
    await builder(page).getByRole('textbox', { name: 'Value of condition 2.1' }).fill('pune')
    await expect(builder(page).getByRole('status')).toHaveText(/^(About )?\d\d contacts match\.$/)
    await inspectStanding(page, 'the builder of conditions')
    await builder(page).getByRole('button', { name: 'Apply' }).click()
    await expect(builder(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Remove filter Tag is VIP and City is pune' })).toBeVisible()
    await expect(page.getByText(fewContacts)).toBeVisible()
  })

  await test.step('the address keeps them', async () => {
    await page.reload()
    await expect(page.getByText(fewContacts)).toBeVisible()
    await page.getByRole('button', { name: /^Remove filter/ }).click()
    await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
    await page.goBack()
    await expect(page.getByText(fewContacts)).toBeVisible()
  })

  await test.step('a segment of them', async () => {
    await page.getByRole('button', { name: /^Filter/ }).click()
    await page.getByRole('button', { name: 'More conditions…' }).click()
    await builder(page).getByRole('button', { name: 'Save as Segment' }).click()
    await builder(page).getByRole('textbox', { name: 'Name of the segment' }).fill('Best of Pune')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Segment Best of Pune saved.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(saved(page).getByRole('button', { name: /^Best of Pune \d\d$/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await expect(page.getByText(fewContacts)).toBeVisible()
    await inspect(page, 'the contacts of a saved segment')
  })

  await test.step('a contact of it says why', async () => {
    await page.getByRole('row').nth(1).getByRole('button').first().click()
    const details = page.getByRole('dialog')
    await expect(details.getByText('In Best of Pune')).toBeVisible()
    await expect(details.getByText('City is pune', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Close details' }).click()
  })

  await test.step('changed, deleted, brought back', async () => {
    await saved(page).getByRole('button', { name: 'Actions for the segment Best of Pune' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Segment' })
    await edit.getByRole('button', { name: 'Remove group 2' }).click()
    await edit.getByRole('textbox', { name: 'Name of the segment' }).fill('All VIPs')
    await edit.getByRole('button', { name: 'Save Segment' }).click()
    await expect(saved(page).getByRole('button', { name: /^All VIPs 4\d\d$/ })).toBeVisible()
    await expect(page.getByText(/^1–25 of 4\d\d contacts$/)).toBeVisible()
    await saved(page).getByRole('button', { name: 'Actions for the segment All VIPs' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(saved(page)).toHaveCount(0)
    await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
    await toast(page, 'Segment All VIPs deleted.').getByRole('button', { name: 'Undo' }).click()
    await expect(saved(page).getByRole('button', { name: /^All VIPs 4\d\d$/ })).toBeVisible()
  })
})

test('on a phone: conditions are written, saved and taken away', async ({ page, account: _account }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/contacts?build=filter')
  await writeTag(page, 'lead')
  await builder(page).getByRole('button', { name: 'Add condition' }).click()
  await builder(page).getByRole('button', { name: 'Apply' }).click()
  // A missing value is reported where it is missing, and has the focus.
  await expect(builder(page).getByText('Enter a value')).toBeVisible()
  await builder(page).getByRole('button', { name: 'Remove condition 2', exact: true }).click()
  await builder(page).getByRole('button', { name: 'Save as Segment' }).click()
  await builder(page).getByRole('textbox', { name: 'Name of the segment' }).fill('Prospects')
  await builder(page).getByRole('button', { name: 'Save Segment' }).click()
  const segment = saved(page).getByRole('button', { name: /^Prospects 1,\d{3}$/ })
  await expect(segment).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/^1–25 of 1,\d{3} contacts$/)).toBeVisible()
  await segment.click()
  await expect(page.getByText('1–25 of 8,234 contacts')).toBeVisible()
})
