import { inspectStanding } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

test('the data of one person is downloaded, then erased once the name is typed; also on a phone', async ({
  page,
  account: _account,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Priya Sharma', exact: true }).first().click()
  await page.getByRole('link', { name: 'Open page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeVisible()
  const more = page.getByRole('button', { name: 'More actions for Priya Sharma' })
  await more.click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export data' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^contact-\d{4}-\d\d-\d\d\.zip$/)
  await expect(page.getByRole('menu')).toBeHidden()
  await more.click()
  await page.getByRole('menuitem', { name: 'Erase for good' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Priya Sharma?' })
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('menu')).toBeHidden()
  await inspectStanding(page, '/contacts/:id, erasing')
  await dialog.getByLabel('Type Priya Sharma to confirm').fill('Priya Sharma')
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await expect(page).toHaveURL('/contacts')
  await expect(toast(page, 'The contact was erased.')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('This contact could not be found')).toBeVisible()
})

test('two contacts become one with one thread, and two again; also on a phone', async ({ page, account: _account }) => {
  await page.goto('/contacts')
  for (const name of ['Priya Sharma', 'Rahul Verma'])
    await page
      .getByRole('checkbox', { name: `Select ${name}` })
      .first()
      .click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Merge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge with Priya Sharma' })
  await expect(dialog.getByRole('region', { name: 'After merging' })).toContainText('is removed')
  await inspectStanding(page, '/contacts, merging')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(toast(page, 'Rahul Verma was merged into Priya Sharma.')).toBeVisible()
  await expect(page.getByText('1–25 of 8,233 contacts')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Priya Sharma', exact: true }).first().click()
  await page.getByRole('link', { name: 'Open page' }).click()
  const merged = page.getByRole('region', { name: 'Merged contacts' })
  await expect(merged).toContainText('Rahul Verma')
  const activity = page.getByRole('region', { name: 'Activity' })
  await expect(activity.getByRole('listitem').first()).toContainText('Rahul Verma was merged into this contact')
  const thread = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
  await expect(thread).toHaveCount(1)
  const together = Number(/(\d+) messages/.exec(await thread.innerText())?.[1])
  await merged.getByRole('button', { name: 'Undo the merge of Rahul Verma' }).click()
  await expect(toast(page, 'Rahul Verma is a contact of their own again.')).toBeVisible()
  await expect(merged).toHaveCount(0)
  await expect.poll(async () => Number(/(\d+) messages/.exec(await thread.innerText())?.[1])).toBeLessThan(together)
  await page.getByRole('button', { name: 'More actions for Priya Sharma' }).click()
  await page.getByRole('menuitem', { name: 'Merge with…' }).click()
  await page.getByRole('combobox', { name: 'The other contact' }).fill('rahul verma')
  await page.getByTitle('Rahul Verma · +91 98735 80247').click()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'After merging' })).toBeVisible()
  await inspectStanding(page, '/contacts/:id, merging')
})
