import { bubble, details, field, messages, priya, rahul, row } from '../src/inbox.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a macro is written in the settings, looked at and run from the command menu, and refused in words', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await phones.write(rahul, 'Any news?', { at: Date.now() - 25 * 3_600_000 })
  await phones.write(priya, 'My kettle arrived broken.')

  await test.step('written in the settings', async () => {
    await page.goto('/settings?tab=macros')
    await expect(page.getByText('No macros yet')).toBeVisible()
    await page.getByRole('button', { name: 'Create Macro' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Macro' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Broken order')
    await dialog.getByRole('combobox', { name: 'Tag of action 1' }).fill('broken')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Add action' }).click()
    await dialog.getByRole('combobox', { name: 'Action 2', exact: true }).click()
    await page.getByTitle('Send a reply', { exact: true }).click()
    await dialog
      .getByRole('textbox', { name: 'Text of action 2' })
      .fill('Sorry, {{first_name}}! A new one is on its way.')
    await dialog.getByRole('button', { name: 'Add action' }).click()
    await dialog.getByRole('textbox', { name: 'Text of action 3' }).fill('Replacement agreed')
    await inspectStanding(page, 'a macro that is written')
    await dialog.getByRole('button', { name: 'Save Macro' }).click()
    await expect(page.getByText('Add the tag broken · Send a reply · Write a note')).toBeVisible()
    await inspect(page, 'macros in the settings')
  })

  await test.step('run from the command menu after a look at what it does', async () => {
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await expect(field(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run a macro' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Run macro Broken order…' }).click()
    const preview = page.getByRole('dialog', { name: 'Run a macro' })
    await expect(preview.getByText('Sorry, Priya! A new one is on its way.')).toBeVisible()
    await inspectStanding(page, 'what a macro does')
    await preview.getByRole('button', { name: 'Run Macro' }).click()
    await expect(toast(page, 'Broken order: done.')).toBeVisible()
    await expect(bubble(page, 'Sorry, Priya! A new one is on its way.')).toBeVisible()
    await expect(messages(page).getByText('Replacement agreed')).toBeVisible()
    await expect(details(page).getByText('broken', { exact: true })).toBeVisible()
  })

  await test.step('a closed window refuses all of it, in the words as by hand', async () => {
    await row(page, rahul.name).click()
    await expect(page.getByText('The 24-hour window is closed.')).toBeVisible()
    await page.getByRole('button', { name: 'Run a macro' }).click()
    const preview = page.getByRole('dialog', { name: 'Run a macro' })
    await preview.getByRole('combobox', { name: 'Macro' }).click()
    await page.getByTitle('Broken order', { exact: true }).click()
    await preview.getByRole('button', { name: 'Run Macro' }).click()
    await expect(preview.getByRole('alert')).toContainText('The 24-hour window of this conversation is closed.')
    await inspectStanding(page, 'a macro that is refused')
  })
})
