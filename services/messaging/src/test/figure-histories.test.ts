import { randomUUID } from 'node:crypto'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { figureRowsApi, type RowMetric } from '@parley/contracts/platform/figure-rows'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import fc from 'fast-check'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withMerging } from './merging-fixtures.ts'
import { startMessaging } from './start-messaging.ts'
import { headOf, postSigned } from './webhook-fixtures.ts'

/** `RUNS=20` is the long form. */
const runs = Number(process.env['RUNS'] ?? 2)

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

const between = (min: string, max: string) => fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
/** Around both changes of the clock in New York and Berlin, and on both sides of midnights in Kathmandu. */
const momentArbitrary = fc.oneof(
  between('2025-03-08T00:00:00Z', '2025-03-11T00:00:00Z'),
  between('2025-03-29T00:00:00Z', '2025-04-01T00:00:00Z'),
  between('2025-10-25T00:00:00Z', '2025-10-28T00:00:00Z'),
  between('2025-11-01T00:00:00Z', '2025-11-04T00:00:00Z'),
  between('2025-10-25T18:14:58Z', '2025-10-25T18:15:02Z'),
)
const periods = [
  ['2025-03-07', '2025-03-11'],
  ['2025-03-28', '2025-04-01'],
  ['2025-10-24', '2025-10-26'],
  ['2025-10-27', '2025-11-04'],
] as const
const zones = ['Asia/Kathmandu', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']

/** Two who are merged, two of whom one is merged into the other and taken out again, two who wait and are erased, one who stays. */
const people = ['kept', 'merged', 'first', 'second', 'erased', 'erasedToo', 'stays'] as const
type PersonName = (typeof people)[number]
const isErased = (name: PersonName) => name === 'erased' || name === 'erasedToo'
/** Order in which a status counts, whenever it is reported. */
const ladder = ['queued', 'sent', 'failed', 'delivered', 'read'] as const
type Status = (typeof ladder)[number]

const receivedArbitrary = fc.record({
  of: fc.constantFrom(...people),
  at: momentArbitrary,
  copies: fc.integer({ min: 1, max: 3 }),
})
const sentArbitrary = fc.record({
  of: fc.constantFrom(...people),
  at: momentArbitrary,
  by: fc.integer({ min: 0, max: 1 }),
  steps: fc.array(fc.constantFrom<Status>('sent', 'failed', 'failed', 'delivered', 'read'), { maxLength: 5 }),
})
const historyArbitrary = fc.record({
  received: fc.array(receivedArbitrary, { minLength: 15, maxLength: 50 }),
  sent: fc.array(sentArbitrary, { minLength: 15, maxLength: 50 }),
  seed: fc.integer(),
})
type History = typeof historyArbitrary extends fc.Arbitrary<infer Value> ? Value : never
interface Piece {
  readonly of: PersonName
  readonly webhook: object
}

const members = [0, 1].map(() => new Types.ObjectId().toHexString())
/** Messages received and sent, in all histories. */
const happened: { at: Date; metric: 'received' | 'messagesSent'; by?: string | undefined }[] = []
let phones = 919812900000

test('counters are what a recount and the rows say, after any history', { timeout: 120_000 * runs }, async () => {
  await fc.assert(fc.asyncProperty(historyArbitrary, live), { numRuns: runs, endOnFailure: true })
})

async function live({ received, sent, seed }: History): Promise<void> {
  const ann = parley.signIn()
  const { writer, merge, undoes } = withMerging(parley, ann)
  const known = await Promise.all(
    people.map(async (name) => {
      phones += 1
      const phone = String(phones)
      return [name, { phone, ...(await writer(phone, 'Hello')) }] as const
    }),
  )
  const all = new Map(known)
  const personOf = (name: PersonName) => {
    const person = all.get(name)
    if (!person) throw new Error(`${name} has not written`)
    return person
  }
  const post = async (pieces: readonly Piece[]) => {
    for (const { webhook } of pieces) {
      const entry = [{ id: parley.simulatedNumber.accountId, changes: [{ field: 'messages', value: webhook }] }]
      const { status } = await postSigned(parley, JSON.stringify({ object: 'whatsapp_business_account', entry }))
      expect(status).toBe(200)
    }
  }
  const messages = await Promise.all(
    sent.map(async (one) => {
      const { conversation, contact } = personOf(one.of)
      const waMessageId = `wamid.${randomUUID()}`
      await inTransaction(parley.database.connection, (tx) =>
        parley.services.messages.create(
          parley.scope,
          {
            ...{ conversationId: conversation.id, contactId: contact.id, numberId: parley.number.id, waMessageId },
            ...{ direction: 'outbound', status: 'queued', statusAt: {}, sentAt: one.at },
            content: { type: 'text', text: 'Hello' },
            cause: { kind: 'member', id: members[one.by] ?? '' },
          },
          tx,
        ),
      )
      return { ...one, waMessageId }
    }),
  )
  const arrivals = received.flatMap((one) =>
    Array(one.copies)
      .fill(inbound(personOf(one.of).phone, one))
      .map((webhook) => ({ of: one.of, webhook })),
  )
  const reports = messages.flatMap(({ of, steps, waMessageId }) =>
    steps.map((status) => ({ of, webhook: statusOf(personOf(of).phone, waMessageId, status) })),
  )
  const pieces = shuffled([...arrivals, ...reports], seed)
  const [early, late] = [pieces.slice(0, pieces.length / 2), pieces.slice(pieces.length / 2)]

  // All that is told of those who will be erased is applied before; the others are merged and written to at the same time.
  await post([...early, ...late.filter(({ of }) => isErased(of))])
  await isApplied()
  // Both wait for an answer when they are erased.
  const last = (['erased', 'erasedToo'] as const).map((of) => ({ of, at: new Date('2025-11-03T12:00:00Z') }))
  await post(last.map((one) => ({ of: one.of, webhook: inbound(personOf(one.of).phone, one) })))
  await isApplied()
  const erase = (name: PersonName) => {
    const { contact } = personOf(name)
    return ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })
  }
  await Promise.all([
    post(late.filter(({ of }) => !isErased(of))),
    merge(personOf('kept').contact, personOf('merged').contact),
    erase('erased'),
    erase('erasedToo'),
    merge(personOf('first').contact, personOf('second').contact).then((kept) =>
      undoes(kept, personOf('second').contact),
    ),
  ])
  await isApplied()
  // The platform repeats itself about somebody who is not known any more, and they write again.
  const again = { of: 'erased' as const, at: new Date('2025-10-26T00:30:00Z') }
  await post([
    ...reports.filter(({ of }) => isErased(of)),
    { of: again.of, webhook: inbound(personOf(again.of).phone, again) },
  ])
  await isApplied()

  const final = (steps: readonly Status[]) =>
    ladder[Math.max(0, ...steps.map((step) => ladder.indexOf(step)))] ?? 'queued'
  for (const { at } of [...received, ...last, again]) happened.push({ at, metric: 'received' })
  for (const { at, by, steps } of sent)
    if (!['queued', 'failed'].includes(final(steps))) happened.push({ at, metric: 'messagesSent', by: members[by] })
  await check(ann)
}

type Person = ReturnType<typeof parley.signIn>

async function check(ann: Person): Promise<void> {
  const days = new Set([...happened.map(({ at }) => at), new Date()].map((at) => at.toISOString().slice(0, 10)))
  for (const day of days) expect(await parley.services.recountFigures(parley.scope, { day })).toEqual([])
  const hoursPath = '/api/workspace/sending-hours'
  for (const zone of zones) {
    await ann.ask('PUT', hoursPath, { ...(await ann.ask('GET', hoursPath)), zone })
    for (const [from, to] of periods) {
      const isWithin = ({ at }: { at: Date }) => {
        const { date } = wallTimeOf(at, zone)
        return date >= from && date <= to
      }
      for (const metric of ['received', 'messagesSent'] as const) {
        const wanted = happened.filter((one) => one.metric === metric && isWithin(one))
        const { figure, rows, erased } = await rowsOf(ann, { metric, from, to })
        expect([zone, from, metric, figure]).toEqual([zone, from, metric, wanted.length])
        expect([zone, from, metric, rows + erased]).toEqual([zone, from, metric, figure])
      }
      for (const member of members) {
        const wanted = happened.filter((one) => one.by === member && isWithin(one))
        const { figure } = await rowsOf(ann, { metric: 'messagesSent', from, to, scope: `member:${member}` })
        expect([zone, from, member, figure]).toEqual([zone, from, member, wanted.length])
      }
      const waits = await rowsOf(ann, { metric: 'waits', from, to })
      expect([zone, from, waits.rows]).toEqual([zone, from, waits.figure])
    }
  }
}

/** Waits until all that was posted is applied, numbered and counted, and no job is under way. */
async function isApplied(): Promise<void> {
  const stored = (name: string) => fullConnection(parley.database.connection).collection(name)
  await eventually(async () => {
    expect(await stored('rawEvents').countDocuments({ lane: { $exists: true } })).toBe(0)
    const under = await stored('jobs').countDocuments({ ...parley.inWorkspace, state: { $in: ['waiting', 'running'] } })
    expect(under).toBe(0)
    expect(await stored('events').countDocuments({ ...parley.inWorkspace, fresh: true })).toBe(0)
    const head = await stored('eventHeads').findOne({ _id: parley.inWorkspace.workspaceId })
    const cursor = await stored('eventCursors').findOne({ ...parley.inWorkspace, consumer: 'figures' })
    expect(cursor?.['seq']).toBe(head?.['seq'])
  })
}

/** Counts the rows behind a figure, page by page. */
async function rowsOf(
  ann: Person,
  { scope = 'workspace', ...question }: { metric: RowMetric; from: string; to: string; scope?: string },
): Promise<{ rows: number; figure: number; erased: number }> {
  const ids = new Set<string>()
  for (let cursor: string | null = ''; ; ) {
    const query: URLSearchParams = new URLSearchParams({ ...question, scope, limit: '100', ...(cursor && { cursor }) })
    const page = figureRowsApi.list.response.parse(await ann.ask('GET', `/api/analytics/rows?${query}`))
    for (const { id } of page.items) ids.add(id)
    if (page.nextCursor === null) return { rows: ids.size, figure: page.figure, erased: page.erased }
    cursor = page.nextCursor
  }
}

const secondsOf = (at: Date) => String(Math.floor(at.getTime() / 1000))

function inbound(from: string, { at }: { at: Date }): object {
  const message = { id: `wamid.${randomUUID()}`, from, timestamp: secondsOf(at), type: 'text', text: { body: 'Hello' } }
  return { ...headOf(parley), contacts: [{ wa_id: from, profile: { name: `Of ${from}` } }], messages: [message] }
}

function statusOf(recipient: string, id: string, status: string): object {
  const errors = status === 'failed' && { errors: [{ code: 131026, title: 'Message undeliverable' }] }
  const told = { id, status, timestamp: secondsOf(new Date()), recipient_id: recipient, ...errors }
  return { ...headOf(parley), statuses: [told] }
}

/** The same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state
  }
  return items
    .map((item) => ({ item, key: next() }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item)
}
