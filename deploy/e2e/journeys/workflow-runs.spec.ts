import { workflowsApi } from '@parley/contracts/automation/workflows'
import { contactsApi } from '@parley/contracts/contacts/contacts'
import { callAsPage } from '../src/accounts.ts'
import { inspect } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const node = (id: string, type: string, label: string, settings: object, y: number) => ({
  id,
  type,
  label,
  description: '',
  position: { x: 0, y },
  settings,
})

test('a workflow is started by hand, for a contact from their page and for a segment from its own', async ({
  page,
  app,
  account: _account,
}) => {
  const post = async (path: string, data: object) =>
    (await callAsPage(page.request, app, { method: 'POST', path, data })).json()
  const person = async (name: string, phone: string) =>
    contactsApi.create.response.parse(await post(contactsApi.create.path, { name, phone, tags: [], attributes: {} }))
  const mina = await person('Mina Rao', '+919812300177')
  await person('Ravi Rao', '+919812300178')
  const workflow = workflowsApi.create.response.parse(
    await post(workflowsApi.create.path, {
      name: 'Welcome',
      draft: {
        format: 2,
        nodes: [
          node('on', 'trigger', 'Event', { kind: 'event', event: 'manual' }, 0),
          node('tag', 'action', 'Add tag', { kind: 'add_tag', tag: 'welcomed' }, 140),
        ],
        edges: [{ id: 'e', source: 'on', target: 'tag', branch: 'next' }],
      },
    }),
  )
  await post(`/api/workflows/${workflow.id}/publish`, { version: workflow.version, start: true })
  const tagsOf = async (id: string) => (await (await page.request.get(`/api/contacts/${id}`)).json()).tags

  await test.step('for one contact', async () => {
    await page.goto(`/contacts/${mina.id}`)
    await page.getByRole('button', { name: 'More actions for Mina Rao' }).click()
    await page.getByRole('menuitem', { name: 'Start a workflow…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start a workflow for Mina Rao' })
    await dialog.getByRole('combobox', { name: 'Workflow' }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'Welcome' }).click()
    await inspect(page, 'a workflow to start for a contact')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await expect(dialog).toBeHidden()
    await expect.poll(() => tagsOf(mina.id), { timeout: 20_000 }).toEqual(['welcomed'])
  })

  await test.step('for a segment: who took part already is left out, and that is said', async () => {
    await page.goto(`/workflows?workflow=${workflow.id}`)
    await page.getByRole('button', { name: 'Start by hand' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start Welcome by hand' })
    await dialog.getByRole('combobox', { name: 'Segment' }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'All Contacts' }).click()
    await inspect(page, 'a workflow to start for a segment')
    await dialog.getByRole('button', { name: /^Start/ }).click()
    const panel = page.getByRole('status').filter({ hasText: 'Started for' })
    await expect(panel).toContainText('Started for 1 contact. 1 left out: 1 takes part already, or did.', {
      timeout: 20_000,
    })
    await page.getByText('Ended', { exact: true }).click()
    await expect(page.getByRole('button', { name: /Ravi Rao/ })).toContainText('Started by hand, by a member')
    await inspect(page, 'runs that were started by hand')
  })
})
