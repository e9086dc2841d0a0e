import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

async function openWorkflows(query = '', records?: number, handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers }, { records })
  await openApp(`/workflows${query}`)
  await screen.findByRole('heading', { level: 1, name: /Workflows/ })
  return server
}
const counter = (label: string) =>
  screen.getAllByText(label).find(({ tagName }) => tagName === 'DT')?.nextSibling?.textContent

test('the counters add up and follow what is paused; a card counts triggers, actions and executions', async () => {
  await openWorkflows()
  const card = within((await screen.findByRole('heading', { name: 'Ask for feedback' })).closest('li') ?? document.body)
  await waitFor(() => expect(counter('Total Workflows')).toBe('5'))
  expect([counter('Active'), counter('Total Executions'), counter('Success Rate')]).toEqual(['4', '3,753', '96.9%'])
  const facts = card.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(facts).toEqual(['1', '3', '1,846'])
  await userEvent.click(card.getByRole('button', { name: 'Pause Ask for feedback' }))
  await waitFor(() => expect(counter('Active')).toBe('3'))
})

test('a deleted workflow comes back by Undo, paused', async () => {
  await openWorkflows()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Ask for feedback' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  await waitFor(() => expect(counter('Total Workflows')).toBe('4'))
  await pressUndo()
  expect(await screen.findByRole('button', { name: 'Start Ask for feedback' })).toBeTruthy()
  await waitFor(() => expect(counter('Total Workflows')).toBe('5'))
})

test('a new workflow starts on an event', async () => {
  await openWorkflows('?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'Hello')
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Workflow' }).at(-1) ?? document.body)
  await screen.findByRole('region', { name: 'Workflow Builder' })
  expect(screen.getByRole('button', { name: 'Add node: Event' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add node: Keyword match' })).toBeNull()
})

test('beyond a page there are Next and Previous, kept in the address; a search begins on the first', async () => {
  await openWorkflows('', 130)
  expect(await screen.findByText('1–24 of 130 workflows')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('25–48 of 130 workflows')).toBeTruthy()
  expect(window.location.search).toContain('page=2')
  await userEvent.type(screen.getByRole('searchbox'), 'feedback')
  expect(await screen.findByText('1–24 of 26 workflows')).toBeTruthy()
  expect(window.location.search).not.toContain('page=')
})

/** Opens the figures of the first workflow, of which 12 runs wait at its second node. */
async function openFigures() {
  const [workflow] = [...stubServer(signedInServer()).workspace.workflows.values()]
  const id = workflow?.id ?? ''
  const node = workflow?.draft.nodes[1]
  const since = '2026-11-01T00:00:00.000Z'
  const nodes = [{ nodeId: node?.id, entered: 90, left: [], dropped: 0, failed: 0, here: 12 }]
  const run = { id: 'run-9', workflowId: id, number: 3, status: 'waiting', asks: false }
  const items = [{ ...run, contactId: 'c-1', contactName: 'Asha Rao', createdAt: since }]
  const server = await openWorkflows(`?workflow=${id}&panel=figures`, undefined, {
    [`GET /api/workflows/${id}/counts`]: () => ({ json: { since, nodes } }),
    [`GET /api/workflows/${id}/runs`]: () => ({ json: { items, total: 12, nextCursor: 'c2', previousCursor: null } }),
    [`POST /api/workflows/${id}/runs/bulk`]: () => ({
      status: 409,
      json: errorOf('limit_reached', 'Too much at once.'),
    }),
  })
  const list = within(await screen.findByRole('list', { name: 'Figures of nodes' }))
  return { server, list, node, number: workflow?.publishedVersion, since }
}

test('a change of all listed runs is one of those behind the figure that the list is of', async () => {
  const { server, list, node, number, since } = await openFigures()
  await userEvent.click(list.getByRole('button', { name: `${node?.label}, Waits here now: 12` }))
  await userEvent.click(await screen.findByText('Next'))
  await userEvent.click(await screen.findByText('End all…'))
  const lead = await screen.findByText(/runs? end\. What they have done stays/)
  expect(lead.textContent).toMatch(/^12 runs/)
  await userEvent.click(screen.getByText('End them').closest('button') ?? document.body)
  await screen.findByText('Too much at once.')
  const sent = server.calls.find(({ path }) => path.endsWith('/bulk'))?.body ?? ''
  const filter = { show: 'live', nodeId: node?.id, number, from: since }
  expect(JSON.parse(sent)).toEqual({ filter, action: { kind: 'cancel' } })
})

test('while something else is drawn the draft is not edited unseen; a node that is added shows it again', async () => {
  const { node } = await openFigures()
  const title = await screen.findByText(/: figures of runs begun within 30 days$/)
  fireEvent.click(screen.getByLabelText(new RegExp(`: ${node?.label}\\. `)))
  await userEvent.keyboard('{Control>}d{/Control}')
  await userEvent.click(screen.getByLabelText('Arrange'))
  expect(screen.queryByText('Unsaved changes')).toBeNull()
  await userEvent.click(screen.getByLabelText('Add node: Add tag'))
  expect(await screen.findByText('Unsaved changes')).toBeTruthy()
  await waitFor(() => expect(title.isConnected).toBe(false))
})

test('a dry run is started, watched and stopped; its result names starts, reasons, messages and the ends of paths', async () => {
  const { workspace } = stubServer(signedInServer())
  const [workflow] = [...workspace.workflows.values()]
  const id = workflow?.id ?? ''
  const node = workflow?.draft.nodes[0]
  const base = { workflowId: id, of: 'draft', days: 7, total: 0, done: 0, result: null, startedBy: null }
  const made = { ...base, id: 'dry-1', state: 'running', createdAt: '2026-11-29T10:00:00.000Z' }
  const result = {
    from: '2026-11-22T10:00:00.000Z',
    until: '2026-11-29T10:00:00.000Z',
    events: 150,
    starts: 143,
    contacts: 96,
    days: [{ day: '2026-11-29', starts: 143 }],
    skipped: [{ reason: 'enrolled', count: 7 }],
    messages: 2,
    templates: [{ templateId: 't-1', name: 'welcome', category: 'utility', count: 141 }],
    paths: [{ nodeId: node?.id, end: 'answer', count: 143 }],
  }
  let items: object[] = []
  const path = `/api/workflows/${id}/dry-runs`
  const sent: { days: number; of: { kind: string; flow?: object } }[] = []
  await openWorkflows(`?workflow=${id}`, undefined, {
    [`GET ${path}`]: () => ({ json: { items } }),
    [`POST ${path}`]: ({ body }) => {
      sent.push(JSON.parse(body ?? '{}'))
      items = [{ ...made, id: `dry-${sent.length}` }, ...items]
      return { status: 201, json: items[0] }
    },
    'POST /api/dry-runs/dry-1/cancel': () => {
      items = [{ ...made, state: 'cancelled' }]
      return { json: items[0] }
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Dry run' }))
  await screen.findByText('No dry run yet')
  await userEvent.click(screen.getByRole('button', { name: 'Start dry run' }))
  const working = within(await screen.findByRole('list', { name: 'Under way' }))
  await userEvent.click(working.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('The dry run was stopped')
  expect(sent).toMatchObject([{ days: 7, of: { kind: 'draft', flow: { nodes: workflow?.draft.nodes } } }])

  await userEvent.click(screen.getByRole('button', { name: 'Start dry run' }))
  await screen.findByRole('list', { name: 'Under way' })
  items = [{ ...made, id: 'dry-2', state: 'done', total: 9, done: 9, result }]
  expect(await screen.findByText('Would have started 143 times for 96 contacts.', {}, { timeout: 3000 })).toBeTruthy()
  for (const text of ['The contact takes part already, or did', 'Utility templates', 'welcome 141'])
    expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByRole('button', { name: `Show the node ${node?.label}` })).toBeTruthy()
})
