import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../testing/card-of.ts'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { signedInServer, stubServer, unavailable } from '../../testing/stub-server.ts'

async function openBots(query = '', handlers: Parameters<typeof stubServer>[0] = {}, records?: number) {
  const server = stubServer({ ...signedInServer(), ...handlers }, { records })
  await openApp(`/bots${query}`)
  await screen.findByRole('heading', { level: 1, name: /Bot Flows/ })
  return server
}
test('a card shows status, conversations and automation rate; Pause turns into Start and the filter knows it', async () => {
  await openBots()
  const card = await cardOf('Order status')
  for (const text of ['Active', 'Conversations', '1,284', 'Automation rate', '87%'])
    expect(card.getByText(text)).toBeTruthy()
  expect(card.getByRole('button', { name: 'Settings of Order status' })).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Pause Order status' }))
  expect(await card.findByText('Paused')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'Paused' }))
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2))
  expect(window.location.search).toBe('?status=paused')
})

test('a bot that is talking is paused only after it is said what becomes of its sessions', async () => {
  const server = await openBots()
  server.workspace.bots.forEach((bot, id, all) => void all.set(id, { ...bot, running: 2 }))
  await userEvent.type(screen.getByRole('searchbox'), 'order status')
  const card = await cardOf('Order status')
  expect(await card.findByText(/2 sessions now/)).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Pause Order status' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause Order status' }))
  expect(dialog.getByText('No new session begins. 2 sessions are under way.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('radio', { name: 'End them and hand the conversations to people' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Pause' }))
  await waitFor(() => expect(server.workspace.bots.get('bot-1')).toMatchObject({ status: 'paused', running: 0 }))
})

test('a saved draft is published with a choice for running sessions', async () => {
  const server = await openBots('?bot=bot-1')
  const bot = server.workspace.bots.get('bot-1')
  await screen.findByRole('region', { name: 'Bot Builder' })
  expect(screen.getByText('Version 7 runs')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', true)
  if (bot) server.workspace.bots.set(bot.id, { ...bot, running: 3, unpublishedChanges: true, version: bot.version + 1 })
  await openApp('/bots?bot=bot-1')
  expect(await screen.findByText('Version 7 runs · draft differs')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish Order status' }))
  await userEvent.click(await dialog.findByRole('radio', { name: 'Move them to the new version (all of them)' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(server.workspace.bots.get('bot-1')?.publishedVersion).toBe(8))
  const [call] = server.calls.filter(({ path }) => path === '/api/bots/bot-1/publish')
  expect(JSON.parse(call?.body ?? '{}')).toMatchObject({ running: 'move', accept: [] })
  expect(await screen.findByText('Version 8 of Order status is published. 3 sessions moved to it.')).toBeTruthy()
  expect(await screen.findByText('Version 8 runs')).toBeTruthy()
})

test('sessions stand beside the canvas; one of them is drawn on it, and can be ended', async () => {
  const server = await openBots('?bot=bot-1&panel=sessions')
  await userEvent.click(await screen.findByRole('button', { name: /Priya Sharma/ }))
  expect(await screen.findByText('Version 7: a session, not the draft')).toBeTruthy()
  const steps = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole('listitem')
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    expect.not.stringContaining('('),
    expect.stringContaining(' (If it fails)'),
  ])
  expect(window.location.search).toContain('session=run-bot-1')
  await userEvent.click(screen.getByRole('button', { name: 'End session' }))
  await waitFor(() => expect(server.count('POST /api/runs/run-bot-1/cancel')).toBe(1))
  await userEvent.click(screen.getByRole('button', { name: 'All sessions' }))
  expect(await screen.findByText('No session is running')).toBeTruthy()
})

test('what a person has to look at is listed, leads on, and is taken off', async () => {
  await openBots('?show=attention')
  const list = within(await screen.findByRole('dialog', { name: 'To look at' }))
  expect(await list.findByText('A template is not approved any more.')).toBeTruthy()
  expect(list.getByRole('link', { name: 'Open conversation' }).getAttribute('href')).toBe(
    '/conversations?id=conversation-1',
  )
  await userEvent.click(list.getByRole('button', { name: 'Dismiss' }))
  expect(await list.findByText('Nothing to look at')).toBeTruthy()
})

test('a list of more than a page goes on, and its button counts all of it', async () => {
  const entry = (index: number) => ({
    ...{ id: `attention-${index}`, state: 'open', code: 'late', sentence: `Case ${index}`, count: 1 },
    ...{ firstAt: new Date().toISOString(), lastAt: new Date().toISOString() },
  })
  const page = (items: object[], nextCursor: string | null, previousCursor: string | null) => ({
    json: { items, nextCursor, previousCursor, total: 60 },
  })
  await openBots('?show=attention', {
    'GET /api/attention': ({ search }) =>
      search.includes('cursor=older')
        ? page([entry(51)], null, 'newer')
        : page(
            Array.from({ length: 50 }, (_, index) => entry(index + 1)),
            'older',
            null,
          ),
  })
  const list = within(await screen.findByRole('dialog', { name: 'To look at' }))
  await userEvent.click(await list.findByRole('button', { name: 'Older' }))
  expect(await list.findByText('Case 51')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'To look at: 60', hidden: true })).toBeTruthy()
  await userEvent.click(list.getByRole('button', { name: 'Newer' }))
  expect(await list.findByText('Case 50')).toBeTruthy()
})

test('the dialog shows the workspace’s hours, and what was emptied is taken away', async () => {
  const server = await openBots('?show=hours')
  const dialog = within(await screen.findByRole('dialog', { name: 'Hours and Hand-over' }))
  expect(await dialog.findByText(/Open Mon–Fri, 09:00–17:00/)).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'Change Opening Hours' }).getAttribute('href')).toBe('/settings?tab=account')
  await userEvent.type(dialog.getByLabelText(/until bots answer again/), '12')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.count('PATCH /api/automation/settings')).toBe(1))
  const [call] = server.calls.filter(({ method }) => method === 'PATCH')
  expect(JSON.parse(call?.body ?? '{}')).toMatchObject({
    closedText: null,
    returnHours: 12,
    version: 0,
  })
})

test('settings of a bot are saved', async () => {
  const server = await openBots('?bot=bot-1&panel=settings')
  const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Order status' }))
  await userEvent.clear(dialog.getByLabelText('Said when a person takes over'))
  await userEvent.type(dialog.getByLabelText('Said when a person takes over'), 'One moment.')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.workspace.bots.get('bot-1')?.settings.handOverText).toBe('One moment.'))
})

test('a bot whose flow has a problem does not start, and says why', async () => {
  await openBots('?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'Empty one')
  await userEvent.click(screen.getByRole('radio', { name: 'Blank canvas' }))
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Bot' }).at(-1) ?? document.body)
  await screen.findByRole('region', { name: 'Bot Builder' })
  await userEvent.click(screen.getByRole('button', { name: 'Bot Flows' }))
  const card = await cardOf('Empty one')
  await userEvent.click(card.getByRole('button', { name: 'Start Empty one' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish Empty one' }))
  expect(await dialog.findByText('Add a trigger: nothing starts this flow.')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Publish and Start' })).toHaveProperty('disabled', true)
  expect(await card.findByText('Paused')).toBeTruthy()
})

test('the name of a new bot is asked for', async () => {
  await openBots('?new=1')
  await screen.findByLabelText('Name')
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Bot' }).at(-1) ?? document.body)
  expect(await screen.findByText('Enter a name')).toBeTruthy()
})

test('an empty workspace offers the first step; a failed read another try', async () => {
  await openBots('', {}, 0)
  expect(await screen.findByRole('button', { name: 'Create your first bot' })).toBeTruthy()
  await openBots('', { 'GET /api/bots': unavailable })
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('beyond a page there are Next and Previous, kept in the address; a search begins on the first', async () => {
  await openBots('', {}, 130)
  expect(await screen.findByText('1–24 of 130 bots')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('25–48 of 130 bots')).toBeTruthy()
  expect(window.location.search).toContain('page=2')
  await userEvent.type(screen.getByRole('searchbox'), 'feedback')
  expect(await screen.findByText('1–24 of 26 bots')).toBeTruthy()
  expect(window.location.search).not.toContain('page=')
})

test('the focus goes into the filter, and back to its button when it closes', async () => {
  await openBots()
  const button = await screen.findByRole('button', { name: 'Filter' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  const filter = await screen.findByRole('dialog', { name: 'Filter' })
  await waitFor(() => expect(filter.contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test('the small map of a flow is beside the canvas, where it covers no node', async () => {
  await openBots('?bot=bot-2')
  const map = await screen.findByRole('img', { name: 'Minimap of the flow' })
  expect(map.closest('.react-flow')).toBeNull()
  expect(screen.getByRole('complementary', { name: 'Inspector' }).contains(map)).toBe(true)
})

test('versions are listed, and one is looked at', async () => {
  await openBots('?bot=bot-1')
  await userEvent.click(await screen.findByRole('button', { name: 'Versions' }))
  const list = within(await screen.findByRole('list', { name: 'Versions' }))
  expect(await list.findByRole('button', { name: /Version 7 Runs/ })).toBeTruthy()
  await userEvent.click(list.getByRole('button', { name: /Version 6/ }))
  expect(await screen.findByText('Version 6, not to be edited here')).toBeTruthy()
})

test('two versions are compared in words, and the older is published again while the draft stays', async () => {
  const server = await openBots('?bot=bot-1&panel=versions&v=6&than=7')
  expect(await screen.findByText(/^From version 6 to version 7: \d+ difference/)).toBeTruthy()
  const last = server.workspace.bots.get('bot-1')?.draft.nodes.at(-1)?.label ?? ''
  const differences = within(screen.getByRole('list', { name: 'Differences' }))
  expect(differences.getByText(last).textContent).toBe(`New ${last}`)
  expect(screen.getByLabelText(new RegExp(`${last}. New`))).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Publish again' }))
  const lead = await screen.findByText(/Version 6 takes its place as version 8; the draft stays as it is/)
  const dialog = within(lead.closest<HTMLElement>('[role=dialog]') ?? lead)
  await userEvent.click(await dialog.findByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(server.count('POST /api/bots/bot-1/versions/6/restore')).toBe(1))
  expect(await screen.findByText('Version 8 runs · draft differs')).toBeTruthy()
})

test('an older version is put into the draft, and an undo brings back what was there', async () => {
  await openBots('?bot=bot-1&panel=versions&v=6')
  await userEvent.click(await screen.findByRole('button', { name: 'Put into the draft' }))
  expect(await screen.findByText('Unsaved changes')).toBeTruthy()
  await pressUndo()
  await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull())
})

test('figures of a version are on its nodes, and each lists the sessions behind it', async () => {
  const seen = stubServer(signedInServer()).workspace.bots.get('bot-1')
  const [trigger, other] = seen?.draft.nodes ?? []
  const counts = {
    since: '2026-11-01T00:00:00.000Z',
    nodes: [
      { nodeId: trigger?.id, entered: 1430, left: [{ branch: 'next', count: 1430 }], dropped: 0, failed: 0, here: 0 },
      { nodeId: other?.id, entered: 1430, left: [{ branch: 'next', count: 1300 }], dropped: 90, failed: 4, here: 40 },
    ],
  }
  const server = stubServer({ ...signedInServer(), 'GET /api/bots/bot-1/counts': () => ({ json: counts }) })
  await openApp('/bots?bot=bot-1&panel=figures')
  expect(await screen.findByText('Version 7: figures of sessions begun within 30 days')).toBeTruthy()
  expect(await screen.findByText('1,430 came · 40 here now · 90 ended here · 4 refused')).toBeTruthy()
  const list = within(screen.getByRole('list', { name: 'Figures of nodes' }))
  await userEvent.click(list.getByRole('button', { name: `${other?.label}, Ended here: 90` }))
  expect(await screen.findByText(`Those of ${other?.label}, version 7`)).toBeTruthy()
  const asked = () => server.calls.filter(({ path }) => path === '/api/bots/bot-1/runs').map(({ search }) => search)
  await waitFor(() => expect(asked().at(-1)).toContain(`dropped=${other?.id}`))
  expect(asked().at(-1)).toContain('number=7')
})

test('an ended session is replayed against the draft: where both ways part, or why it cannot be', async () => {
  const [trigger, other] = stubServer(signedInServer()).workspace.bots.get('bot-1')?.draft.nodes ?? []
  const run = { id: 'run-9', botId: 'bot-1', number: 6, status: 'ended', outcome: 'completed', asks: false }
  const ended = { ...run, contactId: 'contact-1', createdAt: '2026-11-01T00:00:00.000Z' }
  const entry = (text: string) => ({ nodeId: other?.id, lines: [{ by: 'bot', text }] })
  const parted = {
    run: { ...ended, contactName: 'Priya Sharma' },
    result: 'differs',
    nodeId: other?.id,
    recorded: entry('Green or black?'),
    replayed: entry('Which tea?'),
  }
  const gone = {
    run: { ...ended, id: 'run-8', contactName: 'Asha Rao' },
    result: 'not_replayable',
    stop: 'words_gone',
  }
  const came = { lines: [{ by: 'customer', text: 'tea please' }] }
  const chains = { at: 1, recorded: [came, parted.recorded], replayed: [came, parted.replayed] }
  const asked: { of: object; draft: object }[] = []
  const own = await openBots('?bot=bot-1&panel=replay', {
    'POST /api/bots/bot-1/replay': ({ body }) => {
      const sent = JSON.parse(body ?? '{}')
      asked.push(sent)
      return { json: { items: sent.of.kind === 'run' ? [{ ...parted, chains }] : [parted, gone] } }
    },
  })
  expect(await screen.findByText('0 of 2 sessions the same, 1 another way, 1 cannot be replayed.')).toBeTruthy()
  const list = within(screen.getByRole('list', { name: 'Replayed sessions' }))
  expect(list.getByText(`Goes another way from “${other?.label}” on`)).toBeTruthy()
  expect(list.getByText('Cannot be replayed: its messages are no longer kept')).toBeTruthy()
  await userEvent.click(list.getByRole('button', { name: 'Compare both ways of Priya Sharma' }))
  expect(await screen.findByRole('region', { name: 'With the draft' })).toHaveProperty(
    'textContent',
    expect.stringContaining('Which tea?'),
  )
  expect(asked.map(({ of }) => of)).toEqual([
    { kind: 'recent', limit: 20 },
    { kind: 'run', runId: 'run-9' },
  ])
  expect(JSON.stringify(asked[0]?.draft)).toContain(`"${trigger?.id}"`)
  expect(own.count('POST /api/bots/bot-1/replay')).toBe(2)
})
