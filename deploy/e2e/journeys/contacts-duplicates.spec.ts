import { callAsPage } from '../src/accounts.ts'
import { inspectStanding } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

test('duplicates are found, chosen, merged in the background and separated again', async ({
  page,
  app,
  account: _account,
}) => {
  const session: unknown = await (await callAsPage(page.request, app, { method: 'GET', path: '/auth/session' })).json()
  const headers = { authorization: `Bearer ${Object(session).id_token}` }
  for (const [index, name] of ['Asha Rao', 'Bo Lind', 'Chen Wei'].entries())
    for (const digit of [1, 2]) {
      const attributes = { email: `${name.slice(0, 2)}@example.com`, ...(digit === 2 && { city: 'Goa' }) }
      const data = { name, phone: `+9198127100${index}${digit}`, attributes }
      await callAsPage(page.request, app, { method: 'POST', path: '/api/contacts', data, headers })
    }
  const contacts = page.getByRole('button', { name: /^Actions for (Asha|Bo|Chen)/ })

  await test.step('what comes of each pair is told', async () => {
    await page.goto('/contacts')
    await expect(contacts).toHaveCount(6)
    await page.getByRole('button', { name: 'Duplicates' }).click()
    const dialog = page.getByRole('dialog', { name: 'Possible duplicates' })
    const pairs = dialog.getByRole('list', { name: 'Possible duplicates' }).getByRole('listitem')
    await expect(pairs).toHaveCount(3)
    await expect(pairs.first()).toContainText(/Asha Rao.*stays.*is merged.*Given up/)
    await dialog.getByRole('checkbox', { name: 'Choose all 3 pairs' }).check()
    await inspectStanding(page, 'possible duplicates')
    await dialog.getByRole('button', { name: 'Merge 3 pairs' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('they are merged, told by the bell, and undone', async () => {
    await expect(contacts).toHaveCount(3)
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByText('3 pairs of contacts merged').click()
    const dialog = page.getByRole('dialog', { name: 'Possible duplicates' })
    await expect(dialog.getByText('No contacts look like the same person.')).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toHaveCount(0)
    await inspectStanding(page, 'merges that can be undone')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await expect(dialog.getByRole('checkbox', { name: 'Choose all 3 pairs' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(contacts).toHaveCount(6)
  })
})
