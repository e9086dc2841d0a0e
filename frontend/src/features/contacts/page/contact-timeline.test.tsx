import type { TimelineItem } from '@parley/contracts/contacts/contact-timeline'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, eventOf, signedInServer, stubEvents, stubServer, userWithRole } from '../../../testing/stub-server.ts'

const path = 'GET /api/contacts/contact-1/timeline'
const at = '2026-05-01T10:00:00.000Z'
const inThread = { at, conversationId: 'c1', messageId: 'm1', cause: { kind: 'member' as const, id: 'user-1' } }
const added: TimelineItem = { kind: 'added', id: 'added-1', at, source: 'inbound' }
const answerOf = (items: TimelineItem[], nextCursor: string | null = null) => ({ json: { items, nextCursor } })

async function open(answer: Parameters<typeof stubServer>[0][string], handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), [path]: answer, ...handlers }, { records: 30 })
  await openApp('/contacts/contact-1')
  return { server, card: within(await screen.findByRole('region', { name: 'Activity' })) }
}

test('each thing that has happened is one sentence, with links to campaign, conversation and import', async () => {
  const { card } = await open(
    () =>
      answerOf([
        { kind: 'note', id: 'thread-1', ...inThread, text: 'Prefers the morning' },
        { kind: 'activity', id: 'thread-2', ...inThread, text: '', activity: { kind: 'assigned', member: 'user-1' } },
        { kind: 'activity', id: 'thread-3', ...inThread, text: '', activity: { kind: 'snoozed', until: at } },
        {
          kind: 'activity',
          id: 'thread-4',
          ...inThread,
          text: '',
          activity: { kind: 'assigned', member: 'gone' },
          cause: { kind: 'system', id: 'assignment' },
        },
        { kind: 'activity', id: 'thread-5', ...inThread, text: 'Something of later', activity: undefined },
        {
          kind: 'campaign',
          id: 'campaign-1',
          at,
          campaignId: 'c9',
          campaignName: 'Diwali',
          state: 'read',
          replied: true,
        },
        {
          kind: 'campaign',
          id: 'campaign-2',
          at,
          campaignId: 'c8',
          campaignName: 'Tea',
          state: 'left_out',
          reason: 'Opted out.',
        },
        { kind: 'merged', id: 'merged-1', at, name: 'Rahul Verma', memberId: 'user-1' },
        { kind: 'merged', id: 'merged-2', at, name: 'R. Verma' },
        { kind: 'consent', id: 'consent-1', at, category: 'marketing', value: 'out', source: 'keyword', note: 'STOP' },
        {
          kind: 'added',
          id: 'added-2',
          at,
          source: 'import',
          name: 'Rahul',
          import: { id: 'i1', fileName: 'fair.csv' },
        },
        { kind: 'added', id: 'added-3', at, source: 'manual', memberId: 'user-1' },
        added,
      ]),
    { 'GET /api/auth/user': () => userWithRole('owner') },
  )
  expect(await card.findByText(/^You added/)).toBeTruthy()
  const sentences = card.getAllByRole('listitem').map((item) => item.textContent)
  expect(sentences).toEqual(
    [
      /^You wrote a note in the conversationPrefers the morning/,
      /^You took this conversation/,
      /^You snoozed this conversation until May 1, 2026/,
      /^Automatic assignment assigned this conversation to A former member/,
      /^Something of later/,
      /^Received the campaign Diwali Read · Replied/,
      /^Left out of the campaign Tea Opted out\./,
      /^Rahul Verma was merged into this contactBy you/,
      /^R. Verma was merged into this contactWhatsApp reported that both are the same person/,
      /^Opted out of marketingWrote “STOP”/,
      /^Rahul was added by the import of fair.csv/,
      /^You added this contact/,
      /^This contact was added when they first wrote/,
    ].map((pattern) => expect.stringMatching(pattern)),
  )
  const to = (name: string) => card.getAllByRole('link', { name })[0]?.getAttribute('href')
  expect([to('Diwali'), to('the conversation'), to('fair.csv')]).toEqual([
    '/broadcasts?id=c9',
    '/conversations?id=c1&message=m1',
    '/contacts?import=i1',
  ])
})

test('who may not import reads the name of the file alone', async () => {
  const file: TimelineItem = { ...added, source: 'import', import: { id: 'i1', fileName: 'fair.csv' } }
  const { card } = await open(() => answerOf([file]), { 'GET /api/auth/user': () => userWithRole('agent') })
  expect(await card.findByText(/was added by the import of/)).toBeTruthy()
  await expect.poll(() => card.queryByRole('link')).toBeNull()
  expect(card.getByText('fair.csv')).toBeTruthy()
})

test('earlier pages are shown by keyboard; with the last one the focus goes to what it has brought', async () => {
  const { server, card } = await open(
    (_call, nth) => {
      if (nth === 1) return answerOf([{ kind: 'merged', id: 'merged-1', at, name: 'Rahul Verma' }], 'next')
      if (nth === 2) return { status: 503, json: errorOf('service_unavailable', 'Away.') }
      return answerOf([added])
    },
    // A stream that opens has the page read once more, which would count.
    { 'GET /api/events': () => new Promise<never>(() => {}) },
  )
  const button = await card.findByRole('button', { name: 'Show earlier' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  expect(await card.findByText(/could not be loaded/)).toBeTruthy()
  expect(card.getByText('Rahul Verma')).toBeTruthy()
  await userEvent.keyboard('{Enter}')
  expect(await card.findByText(/first wrote/)).toBeTruthy()
  expect(card.queryByRole('button', { name: 'Show earlier' })).toBeNull()
  expect(card.queryByRole('alert')).toBeNull()
  await expect.poll(() => document.activeElement?.textContent).toMatch(/first wrote/)
  expect(server.count(path)).toBe(3)
})

test('what could not be loaded says so, and is tried again', async () => {
  const { server, card } = await open(() => ({ status: 403, json: errorOf('forbidden', 'No.') }))
  expect(await card.findByText('The activity could not be loaded.')).toBeTruthy()
  server.answer(path, () => answerOf([added]))
  await userEvent.click(card.getByRole('button', { name: 'Retry' }))
  expect(await card.findByText(/first wrote/)).toBeTruthy()
})

test('a note, a campaign that has begun and a change of the contact show at once', async () => {
  const events = stubEvents()
  const { server, card } = await open(() => answerOf([added]), { 'GET /api/events': events.response })
  await card.findByText(/first wrote/)
  await expect.poll(events.readers).toBe(1)
  const note = { messageId: 'm2', conversationId: 'c1', status: null, created: true }
  for (const event of [
    { ...eventOf('message.changed', { ...note, direction: 'note' }, 1), contactId: 'contact-1' },
    eventOf('campaign.changed', { campaignId: 'c9' }),
    eventOf('contacts.changed', { count: 1 }),
  ]) {
    const before = server.count(path)
    events.send(event.type, event)
    // A read that was under way when the event came is followed by another one.
    await expect.poll(() => server.count(path)).toBeGreaterThan(before)
  }
})
