import { workflowsApi } from '@parley/contracts/automation/workflows'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
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

test('a failed run is repaired: the step is fixed and published, and the run goes on from it', async ({
  page,
  app,
  account: _account,
}) => {
  const post = async (path: string, data: object) =>
    (await callAsPage(page.request, app, { method: 'POST', path, data })).json()
  await post('/api/contact-attributes', { label: 'Order date', type: 'date', choices: [] })
  const mina = contactsApi.create.response.parse(
    await post(contactsApi.create.path, { name: 'Mina Rao', phone: '+919812300277', tags: [], attributes: {} }),
  )
  const workflow = workflowsApi.create.response.parse(
    await post(workflowsApi.create.path, {
      name: 'Orders',
      draft: {
        format: 2,
        nodes: [
          node('on', 'trigger', 'Event', { kind: 'event', event: 'manual' }, 0),
          node('tag', 'action', 'Add tag', { kind: 'add_tag', tag: 'ordered' }, 140),
          node(
            'date',
            'action',
            'Set the date',
            { kind: 'set_attribute', attribute: 'Order date', value: 'soon' },
            280,
          ),
        ],
        edges: [
          { id: 'e1', source: 'on', target: 'tag', branch: 'next' },
          { id: 'e2', source: 'tag', target: 'date', branch: 'next' },
        ],
      },
    }),
  )
  await post(`/api/workflows/${workflow.id}/publish`, { version: workflow.version, start: true })
  await post(`/api/workflows/${workflow.id}/runs`, { action: { kind: 'contact', contactId: mina.id } })
  const outcomes = async () =>
    (await (await page.request.get(`/api/workflows/${workflow.id}/runs`)).json()).items.map(
      ({ outcome, number }: { outcome: string; number: number }) => [outcome, number],
    )
  await expect.poll(outcomes, { timeout: 20_000 }).toEqual([['failed', 1]])

  await test.step('the run says which step has failed', async () => {
    await page.goto(`/workflows?workflow=${workflow.id}&panel=runs`)
    await page.getByText('Ended', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'Failed' }).click()
    await expect(page.getByRole('button', { name: 'Try all again…' })).toBeVisible()
    await inspect(page, 'failed runs')
    // The panel is another one at the size of a phone, and begins anew.
    await page.getByText('Ended', { exact: true }).click()
    await page.getByRole('button', { name: /Mina Rao/ }).click()
    await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Set the date')
    await inspect(page, 'a failed run')
    await page.goto('/workflows?show=attention')
    await expect(page.getByRole('dialog')).toContainText('Orders')
    await inspect(page, 'a failed run that needs attention')
  })

  await test.step('the step is fixed and published', async () => {
    await page.goto(`/workflows?workflow=${workflow.id}`)
    await page.locator('.react-flow__node').filter({ hasText: 'Set the date' }).click()
    await page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Value').fill('2026-01-02')
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Orders' })
    await dialog.getByRole('button', { name: /^Publish/ }).click()
    await expect(page.getByText('Version 2 runs')).toBeVisible()
  })

  await test.step('the run goes on from that step', async () => {
    await page.getByRole('button', { name: 'Runs', exact: true }).click()
    await page.getByText('Ended', { exact: true }).click()
    await page.getByRole('button', { name: /Mina Rao/ }).click()
    await page.getByRole('button', { name: 'Try again…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Try the run again' })
    await expect(dialog.getByRole('radio', { name: 'At the step that failed: Set the date' })).toBeChecked()
    await expect(dialog.getByRole('radio', { name: 'Version 2, which is published now' })).toBeChecked()
    await inspect(page, 'a failed run to try again')
    await page.getByRole('button', { name: 'Try again…' }).click()
    await dialog.getByRole('button', { name: 'Try again', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect.poll(outcomes, { timeout: 20_000 }).toEqual([
      ['completed', 2],
      ['failed', 1],
    ])
    await expect(page.getByRole('button', { name: 'The try before' })).toBeVisible()
    const attributes = async () => (await (await page.request.get(`/api/contacts/${mina.id}`)).json()).attributes
    await expect.poll(attributes).toEqual({ 'Order date': '2026-01-02' })
  })
})
