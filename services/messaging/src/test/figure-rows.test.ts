import { type FigureRow, figureRowsApi, type RowMetric, rowMetrics } from '@parley/contracts/platform/figure-rows'
import { expectIndexed, queryPlans } from '@parley/service-kit/testing/query-plans'
import fc from 'fast-check'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { settled } from './sample-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

type Person = ReturnType<typeof parley.signIn>
const newId = () => new Types.ObjectId().toHexString()
const newcomer = () => parley.signIn({ workspaceId: newId() })

async function allRows(person: Pick<Person, 'ask'>, query: string) {
  const rows: FigureRow[] = []
  let cursor = ''
  for (;;) {
    const path = `/api/analytics/rows?${query}&limit=7${cursor && `&cursor=${cursor}`}`
    const page = figureRowsApi.list.response.parse(await person.ask('GET', path))
    rows.push(...page.items)
    if (page.nextCursor === null) return { ...page, rows }
    cursor = page.nextCursor
  }
}

// Around a change of the clock in Berlin.
const moment = fc.date({
  min: new Date('2026-03-27T00:00:00Z'),
  max: new Date('2026-03-31T00:00:00Z'),
  noInvalidDate: true,
})
const messageArbitrary = fc.record({
  at: moment,
  number: fc.integer({ min: 0, max: 1 }),
  member: fc.integer({ min: 0, max: 2 }),
  direction: fc.constantFrom('inbound', 'outbound', 'outbound', 'note'),
  type: fc.constantFrom('text', 'text', 'system'),
  status: fc.constantFrom('queued', 'sent', 'delivered', 'read', 'failed'),
})
const waitArbitrary = fc.record({
  at: moment,
  number: fc.integer({ min: 0, max: 1 }),
  member: fc.integer({ min: 0, max: 2 }),
  end: fc.constantFrom('answered', 'late', 'closed', 'open'),
})
const turnArbitrary = fc.record({
  at: moment,
  number: fc.integer({ min: 0, max: 1 }),
  bot: fc.integer({ min: 0, max: 1 }),
  resolved: fc.boolean(),
})

const closureArbitrary = fc.record({
  at: moment,
  author: fc.constantFrom(0, 1, 2, 'bot' as const),
  openSeconds: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
})

test('the rows of every figure, of any scope and days in any zone, are as many as its counters say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(messageArbitrary, { minLength: 5, maxLength: 60 }),
      fc.array(waitArbitrary, { maxLength: 30 }),
      fc.array(turnArbitrary, { maxLength: 20 }),
      fc.array(closureArbitrary, { maxLength: 20 }),
      fc.constantFrom('Asia/Kathmandu', 'Europe/Berlin', 'America/New_York'),
      fc.tuple(fc.integer({ min: 26, max: 31 }), fc.integer({ min: 0, max: 4 })),
      async (messages, waits, turns, closures, timeZone, [first, length]) => {
        const ann = newcomer()
        const id = () => new Types.ObjectId()
        const workspaceId = new Types.ObjectId(ann.workspaceId)
        const [numbers, members, bots] = [2, 3, 2].map((count) => Array.from({ length: count }, id))
        const collection = (name: string) => parley.database.connection.collection(name)
        const common = () => ({ workspaceId, conversationId: id(), contactId: id() })
        await collection('messages').insertMany(
          messages.map(({ at, number, member, direction, type, status }) => ({
            ...common(),
            numberId: numbers?.[number],
            direction,
            content: { type: direction === 'inbound' ? type : 'text' },
            ...(direction === 'outbound' && { status }),
            statusAt: {},
            cause:
              direction === 'inbound'
                ? { kind: 'customer', id: 'x' }
                : { kind: 'member', id: String(members?.[member]) },
            ...{ sentAt: at, createdAt: at, updatedAt: at, version: 1 },
          })),
        )
        if (waits.length > 0)
          await collection('answers').insertMany(
            waits.map(({ at, number, member, end }) => ({
              ...common(),
              numberId: numbers?.[number],
              since: at,
              ...(end === 'open' && { open: true }),
              ...(end === 'closed' && { closedAt: new Date(at.getTime() + 60_000) }),
              ...(['answered', 'late'].includes(end) && {
                answeredAt: new Date(at.getTime() + (end === 'late' ? 30 : 1) * 3_600_000),
                by: { kind: 'member', id: String(members?.[member]) },
                // Those at one of the numbers were passed on by a bot.
                ...(number === 0 ? { forPerson: true, handedOver: true } : end === 'answered' && { inTime: true }),
              }),
              ...(end === 'late' && { dueAt: at, late: true, first: true, openSeconds: 90_000 }),
            })),
          )
        if (turns.length > 0)
          await collection('takeOvers').insertMany(
            turns.map(({ at, number, bot, resolved }) => ({
              ...common(),
              ...{ numberId: numbers?.[number], botId: String(bots?.[bot]), since: at },
              ...(resolved && { endedAt: at, resolved }),
            })),
          )
        if (closures.length > 0)
          await collection('closures').insertMany(
            closures.map(({ at, author, openSeconds }) => ({
              ...common(),
              ...{ numberId: numbers?.[0], closedAt: at, ...(openSeconds !== undefined && { openSeconds }) },
              by:
                author === 'bot'
                  ? { kind: 'bot', id: String(bots?.[0]) }
                  : { kind: 'member', id: String(members?.[author]) },
            })),
          )
        const scope = { workspaceId: ann.workspaceId }
        for (const day of ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'])
          await parley.services.recountFigures(scope, { day, repair: true })
        const hoursPath = '/api/workspace/sending-hours'
        const hours = await ann.ask('GET', hoursPath)
        await ann.ask('PUT', hoursPath, { ...hours, zone: timeZone })
        const [from, to] = [`2026-03-${first}`, new Date(Date.UTC(2026, 2, first + length)).toISOString().slice(0, 10)]
        const scopes = ['workspace', `number:${numbers?.[0]}`, `member:${members?.[1]}`, `bot:${bots?.[0]}`]
        for (const of of scopes)
          for (const metric of rowMetrics) {
            const isOfBots = metric === 'botInteractions' || metric === 'resolved'
            const isOfMembers = metric === 'replied' || metric === 'missed' || metric === 'ratings'
            const isOfAuthors = metric === 'closed'
            if (isOfMembers && !of.startsWith('member:')) continue
            if (isOfAuthors && !of.startsWith('member:') && !of.startsWith('bot:')) continue
            if (
              of.startsWith('bot:')
                ? !isOfBots && !isOfAuthors
                : of.startsWith('member:') && (isOfBots || metric === 'received')
            )
              continue
            const { rows, figure } = await allRows(ann, `metric=${metric}&from=${from}&to=${to}&scope=${of}`)
            expect([of, metric, rows.length]).toEqual([of, metric, figure])
            expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
            expect(rows.map(({ at }) => at)).toEqual(
              rows
                .map(({ at }) => at)
                .toSorted()
                .toReversed(),
            )
          }
      },
    ),
    { numRuns: 4, endOnFailure: true },
  )
})

const today = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata', dateStyle: 'short' }).format(new Date())
const rowsPath = (metric: RowMetric, of = 'workspace') => `metric=${metric}&from=${today()}&to=${today()}&scope=${of}`

test('rows lead to their conversations, are exported as they are listed, and say what was erased', async () => {
  const ann = parley.signIn()
  const { write } = withChats(parley, ann)
  const asha = await write('919861995001', 'Asha', 'Do you deliver?')
  const mina = await write('919861995002', 'Mina', 'Please forget me')
  await eventually(async () => expect((await allRows(ann, rowsPath('received'))).figure).toBe(2))
  const { rows } = await allRows(ann, rowsPath('received'))
  expect(rows.map(({ contactName, conversationId }) => [contactName, conversationId])).toEqual([
    ['Mina', mina.id],
    ['Asha', asha.id],
  ])
  expect((await allRows(ann, rowsPath('waits'))).rows).toMatchObject([{ state: 'young' }, { state: 'young' }])
  const body = { metric: 'received', from: today(), to: today(), scope: 'workspace', format: 'csv' }
  const { id } = await ann.ask('POST', '/api/analytics/rows/exports', body)
  const jobOf = async () =>
    (await ann.ask('GET', '/api/contact-jobs')).items.find((job: { id: string }) => job.id === id)
  await eventually(async () => expect(await jobOf()).toMatchObject({ state: 'done', task: { kind: 'rows_export' } }))
  const file = await ann.request('GET', `/api/contact-jobs/${id}/file`)
  expect(file.headers.get('content-disposition')).toContain('rows-received-')
  const lines = (await file.text()).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(`inbound,received,,Mina,,${mina.id}`)
  // Everything of an erased person goes, and the file with it.
  await ann.ask('POST', `/api/contacts/${mina.contact.id}/erase`, { name: 'Mina' })
  await eventually(async () => expect(await allRows(ann, rowsPath('received'))).toMatchObject({ figure: 2, erased: 1 }))
  expect((await allRows(ann, rowsPath('received'))).rows).toHaveLength(1)
  await eventually(async () => expect((await ann.call('GET', `/api/contact-jobs/${id}/file`)).status).toBe(404))
  // Her wait, which nobody can end any more, counts as that of a closed conversation.
  await eventually(async () => expect(await allRows(ann, rowsPath('waits'))).toMatchObject({ figure: 1 }))
  expect((await allRows(ann, rowsPath('waits'))).rows.map(({ contactName }) => contactName)).toEqual(['Asha'])
  // Another workspace sees nothing of it, an agent exports nothing.
  expect((await allRows(newcomer(), rowsPath('received'))).rows).toEqual([])
  const agent = parley.signIn({ role: 'agent' })
  expect((await agent.call('POST', '/api/analytics/rows/exports', body)).status).toBe(403)
  await expectIndexed(parley.database.connection, async () => {
    for (const metric of ['totalMessages', 'waits', 'botInteractions'] as const)
      await ann.ask('GET', `/api/analytics/rows?${rowsPath(metric)}`)
    for (const metric of ['messagesSent', 'waits'] as const)
      await ann.ask('GET', `/api/analytics/rows?${rowsPath(metric, `member:${ann.userId}`)}`)
  })
})

test('rows of one bot or number, and of what was resolved, are found without reading those of others', async () => {
  const ann = newcomer()
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const [botId, numberId, other] = [newId(), new Types.ObjectId(), new Types.ObjectId()]
  const at = (index: number) => new Date(Date.parse('2026-03-10T08:00:00Z') + index * 60_000)
  const rows = Array.from({ length: 300 }, (_, index) => {
    const isOwn = index % 100 === 0
    return { workspaceId, numberId: isOwn ? numberId : other, since: at(index), isOwn }
  })
  await parley.database.connection
    .collection('takeOvers')
    .insertMany(
      rows.map(({ isOwn, ...row }) => ({ ...row, botId: isOwn ? botId : 'other', ...(isOwn && { resolved: true }) })),
    )
  await parley.database.connection.collection('answers').insertMany(
    rows.map(({ isOwn, ...row }) => ({
      ...row,
      answeredAt: row.since,
      by: { kind: 'member', id: ann.userId },
      ...(isOwn && { late: true, inTime: true }),
    })),
  )
  const period = 'from=2026-03-10&to=2026-03-11&limit=3'
  const questions = [
    ...(['botInteractions', 'resolved'] as const).flatMap((metric) =>
      [`bot:${botId}`, `number:${numberId}`].map((of) => `metric=${metric}&scope=${of}`),
    ),
    'metric=resolved',
    `metric=waits&scope=number:${numberId}`,
    ...(['missed', 'waits'] as const).map((metric) => `metric=${metric}&scope=member:${ann.userId}`),
  ]
  for (const question of questions) {
    const plans = await queryPlans(parley.database.connection, async () => {
      const { items } = await ann.ask('GET', `/api/analytics/rows?${period}&${question}`)
      expect(items, question).toHaveLength(3)
    })
    const read = plans.filter(({ collection }) => collection === 'takeOvers' || collection === 'answers')
    expect(read.length, question).toBeGreaterThan(0)
    for (const { documents } of read) expect(documents, question).toBeLessThan(10)
  }
})

test('an agent reads their own figures and no colleague’s', async () => {
  const ann = newcomer()
  const agent = parley.signIn({ workspaceId: ann.workspaceId, role: 'agent' })
  const statusOf = async (path: string) => (await agent.call('GET', path)).status
  const days = 'from=2026-03-01&to=2026-03-01'
  for (const metric of ['waits', 'messagesSent', 'totalMessages', 'replied']) {
    const rows = `/api/analytics/rows?metric=${metric}&${days}&scope=member:`
    expect([await statusOf(rows + ann.userId), await statusOf(rows + agent.userId)]).toEqual([403, 200])
  }
  expect(await statusOf(`/api/analytics?scope=member:${ann.userId}`)).toBe(403)
  expect(await statusOf(`/api/analytics?scope=member:${agent.userId}`)).toBe(200)
})

test('what is no period, or not counted, is refused', async () => {
  const ann = newcomer()
  const statusOf = async (query: string) => (await ann.call('GET', `/api/analytics/rows?${query}`)).status
  expect(await statusOf('metric=received&from=2026-03-02&to=2026-03-01')).toBe(400)
  expect(await statusOf('metric=received&from=2024-01-01&to=2026-03-01')).toBe(400)
  expect(await statusOf('metric=waits&from=2026-03-01&to=2026-03-01&scope=bot:b1')).toBe(400)
  expect(await statusOf('metric=credits&from=2026-03-01&to=2026-03-01')).toBe(400)
})

test('of the sample data rows are those that are stored, and the rest is said to be figures', async () => {
  const ann = newcomer()
  await settled(ann, 'POST', '/api/sample-data/load')
  const { from, to, stats } = await ann.ask('GET', '/api/analytics')
  const { rows, figure, sample } = await allRows(ann, `metric=totalMessages&from=${from}&to=${to}`)
  expect([figure, sample]).toEqual([stats.totalMessages.value, 12_486])
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every((row) => row.kind === 'message' && row.sample)).toBe(true)
})
