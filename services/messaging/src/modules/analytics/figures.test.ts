import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Activity, activityOf, withActivities } from './activity.ts'
import type { NewAnswer } from './answers.repository.ts'
import { addMessages, nextLook } from './count-figures.ts'
import { createFollowWaiting } from './follow-waiting.ts'
import { type Counts, createSums, levelsOf, levelsOfWaiting, workspaceFigures } from './levels.ts'
import { changeOf, localDays, periodOf, pointsOf, rateOf, sumByDay, totalOf, utcDaysOf } from './local-days.ts'

type Status = 'queued' | 'sent' | 'delivered' | 'read' | 'failed'
type Data = Extract<RecordedEvent, { type: 'message.changed' }>['data']

let seq = 0
const eventOf = (at: Date, data: Partial<Data>, contactId = 'asha'): RecordedEvent => {
  seq += 1
  const fixed = {
    messageId: `m${seq}`,
    conversationId: 'c1',
    direction: 'inbound' as const,
    status: null,
    numberId: 'n1',
  }
  const times = { at: at.toISOString(), recordedAt: at.toISOString() }
  const head = { id: `e${seq}`, seq, workspaceId: 'w1', by: { kind: 'system' as const }, chain: [] }
  return { ...head, ...times, contactId, type: 'message.changed', data: { ...fixed, ...data } }
}

/** Statuses as they may come to be: forwards with gaps, failed, sent again by a person, arrived after all. */
const paths: readonly (readonly (Status | null)[])[] = [
  [null, 'queued', 'sent', 'delivered', 'read'],
  [null, 'queued', 'delivered', 'read'],
  [null, 'queued', 'read'],
  [null, 'queued', 'failed'],
  [null, 'queued', 'failed', 'delivered'],
  [null, 'queued', 'failed', 'queued', 'sent', 'failed', 'queued', 'delivered'],
  [null, 'queued'],
  // From the phone app of a colleague.
  [null, 'delivered', 'read'],
]
// Around both changes of the clock in Berlin and New York, and a half-hour one on Lord Howe Island.
const times = [
  fc.date({ min: new Date('2026-03-07T00:00:00Z'), max: new Date('2026-04-07T00:00:00Z'), noInvalidDate: true }),
  fc.date({ min: new Date('2026-10-01T00:00:00Z'), max: new Date('2026-11-04T00:00:00Z'), noInvalidDate: true }),
]
const messageArbitrary = fc.record({
  at: fc.oneof(...times),
  path: fc.constantFrom(...paths),
  isReceived: fc.boolean(),
  length: fc.integer({ min: 1, max: 8 }),
})
const zones = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]

const dailySums = (sums: ReturnType<typeof createSums>) => sums.all().filter(({ scope }) => scope === workspaceFigures)
const withoutZeros = (counts: Counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))

test('counters are those of the rows, in whatever order events come and by the days of any zone', () => {
  fc.assert(
    fc.property(
      fc.array(messageArbitrary, { maxLength: 40 }),
      fc.constantFrom(...zones),
      fc.infiniteStream(fc.integer()),
      (messages, zone, order) => {
        const rows = messages.map(({ path, length, ...message }) => ({ ...message, path: path.slice(0, length + 1) }))
        const events = rows.flatMap(({ at, path, isReceived }) =>
          isReceived
            ? [eventOf(at, { created: true })]
            : path.slice(1).map((to, place) => {
                const moved = { from: path[place] ?? null, to: to ?? 'queued', at: at.toISOString() }
                return eventOf(at, { direction: 'outbound', moved, cause: 'member', causeId: 'u1' })
              }),
        )
        const keys = new Map(events.map((event) => [event, order.next().value ?? 0]))
        const sums = createSums()
        for (const event of events.toSorted((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0)))
          addMessages(event, sums)
        const dates = rows.map(({ at }) => wallTimeOf(at, zone).date).toSorted()
        const [from, to] = [dates[0], dates.at(-1)]
        if (from === undefined || to === undefined) {
          expect(sums.all()).toEqual([])
          return
        }
        const days = localDays(zone, { from, to })
        const summed = sumByDay(dailySums(sums), days)
        for (const [place, date] of days.dates.entries()) {
          const own = rows.filter(({ at }) => wallTimeOf(at, zone).date === date)
          const expected: Record<string, number> = {}
          for (const { isReceived, path } of own)
            for (const [metric, count] of Object.entries(isReceived ? { received: 1 } : levelsOf(path.at(-1))))
              expected[metric] = (expected[metric] ?? 0) + count
          expect(withoutZeros(summed[place] ?? {})).toEqual(expected)
        }
      },
    ),
  )
})

test('the days in UTC that are read hold every quarter of an hour of the days of a zone', () => {
  for (const zone of zones) {
    const days = localDays(zone, { from: '2026-03-28', to: '2026-03-30' })
    const period = periodOf(days)
    const { from, to } = utcDaysOf(period)
    expect(Date.parse(`${from}T00:00:00Z`)).toBeLessThanOrEqual(period.from.getTime())
    expect(Date.parse(`${to}T23:59:59Z`)).toBeGreaterThanOrEqual(period.to.getTime() - 1000)
  }
})

const stepArbitrary = fc.constantFrom(
  'customer',
  'notice',
  'member',
  'bot',
  'phone_app',
  'campaign',
  'note',
  'close',
  'failed',
)
const startMs = Date.parse('2026-05-04T06:00:00Z')
/** Always open, with a target of half an hour for the first answer. */
const answerTimes = {
  dueAt: (since: Date, isFirst: boolean) => (isFirst ? new Date(since.getTime() + 30 * 60_000) : undefined),
  openSeconds: (since: Date, at: Date) => (at.getTime() - since.getTime()) / 1000,
  isFirst: (_: string, since: Date) => since.getTime() <= startMs + 60_000,
}

/** One conversation as the design says it, without any store. */
function modelOf(steps: readonly { readonly kind: string; readonly at: Date }[]) {
  const episodes: { since: Date; answeredAt?: Date; closedAt?: Date; by?: string }[] = []
  for (const { kind, at } of steps) {
    const last = episodes.at(-1)
    const open = last && !last.answeredAt && !last.closedAt ? last : undefined
    if (kind === 'customer' && !open) episodes.push({ since: at })
    if (open && kind === 'close') open.closedAt = at
    if (open && ['member', 'bot', 'phone_app'].includes(kind)) Object.assign(open, { answeredAt: at, by: kind })
  }
  return episodes
}

test('who waits for an answer is what a model says, however the events are cut into transactions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(stepArbitrary, fc.integer({ min: 1, max: 2000 })), { maxLength: 30 }),
      fc.integer({ min: 1, max: 10 }),
      (drawn, size) => {
        const steps: { kind: string; at: Date }[] = []
        for (const [kind, minutes] of drawn)
          steps.push({ kind, at: new Date((steps.at(-1)?.at.getTime() ?? startMs) + minutes * 60_000) })
        const stored = new Map<string, NewAnswer>()
        const total = createSums()
        const ids = Array.from({ length: steps.length }, (_, place) => `a${place}`)
        const newId = () => ids.shift() ?? ''
        for (let start = 0; start < steps.length; start += size) {
          const sums = createSums()
          const open = [...stored.values()].filter((answer) => answer.open)
          const following = createFollowWaiting(open, { sums, newId, times: answerTimes })
          for (const step of steps.slice(start, start + size)) following.apply(toEvent(step))
          for (const answer of following.changes().stored) stored.set(answer.id, answer)
          for (const { slots, day } of dailySums(sums))
            for (const [slot, counts] of Object.entries(slots))
              total.add([workspaceFigures], new Date(Date.parse(`${day}T00:00:00Z`) + Number(slot) * 900_000), counts)
        }
        const model = modelOf(steps)
        const found = [...stored.values()].map(({ since, answeredAt, closedAt, by }) => ({
          since,
          ...(answeredAt && { answeredAt, by: by?.kind }),
          ...(closedAt && { closedAt }),
        }))
        expect(found).toEqual(model)
        const expected = createSums()
        for (const episode of model) expected.add([workspaceFigures], episode.since, levelsOfWaiting(episode))
        const counted = (sums: typeof expected) =>
          sumByDay(dailySums(sums), localDays('UTC', { from: '2026-05-04', to: '2026-07-30' }))
        for (const metric of ['begun', 'answered'] as const)
          expect(totalOf(counted(total), metric)).toBe(totalOf(counted(expected), metric))
      },
    ),
  )
})

function toEvent({ kind, at }: { kind: string; at: Date }): RecordedEvent {
  const sent = {
    direction: 'outbound' as const,
    moved: { from: 'queued' as const, to: 'sent' as const, at: at.toISOString() },
  }
  if (kind === 'customer') return eventOf(at, { created: true })
  if (kind === 'notice') return eventOf(at, { created: true, notice: true })
  if (kind === 'note') return eventOf(at, { created: true, direction: 'note' })
  if (kind === 'failed')
    return eventOf(at, { ...sent, moved: { ...sent.moved, to: 'failed' }, cause: 'member', causeId: 'u1' })
  if (kind !== 'close') return eventOf(at, { ...sent, cause: kind, causeId: 'u1' })
  const closed = { conversation: { status: 'closed' } } as Extract<
    RecordedEvent,
    { type: 'conversation.changed' }
  >['data']
  return { ...eventOf(at, {}), type: 'conversation.changed', conversationId: 'c1', data: closed }
}

/** A bot passes the conversation on. */
function handOver(minutes: number): RecordedEvent {
  const at = new Date(startMs + minutes * 60_000)
  const data = {
    conversation: {
      id: 'c1',
      numberId: 'n1',
      status: 'open',
      owner: { kind: 'nobody' },
      contact: { id: 'asha' },
      waitingSince: at.toISOString(),
    },
    became: { owned: { epoch: 3, reason: 'assigned' } },
  } as unknown as Extract<RecordedEvent, { type: 'conversation.changed' }>['data']
  const head = { ...eventOf(at, {}), by: { kind: 'bot' as const, id: 'b1' } }
  return { ...head, type: 'conversation.changed', conversationId: 'c1', data }
}
const step = (kind: string, minutes: number) => toEvent({ kind, at: new Date(startMs + minutes * 60_000) })

function follow(...events: readonly RecordedEvent[]) {
  const sums = createSums()
  const ids = ['a1', 'a2', 'a3']
  const following = createFollowWaiting([], { sums, newId: () => ids.shift() ?? '', times: answerTimes })
  for (const event of events) following.apply(event)
  const member = sums.all().find(({ scope }) => scope === 'member:u1')
  return { stored: following.changes().stored, workspace: dailySums(sums)[0]?.slots, member: member?.slots }
}

test('a customer whom a bot passes on waits for a person: its own words answer them no more', () => {
  const { stored, workspace, member } = follow(step('customer', 0), handOver(1), step('bot', 2), step('member', 40))
  expect(stored).toMatchObject([
    { since: new Date(startMs), by: { kind: 'member', id: 'u1' }, openSeconds: 2400, first: true, late: true },
  ])
  expect(workspace).toEqual({ 24: { begun: 1, answered: 1 } })
  expect(member).toEqual({ 24: { answered: 1, replied: 1, targeted: 1, late: 1, t6: 1 } })
})

test('after a bot’s answer a further wait begins with the handing over, which the response rate does not count again', () => {
  const { stored, workspace, member } = follow(step('customer', 0), step('bot', 1), handOver(2), step('member', 5))
  expect(stored).toMatchObject([
    { by: { kind: 'bot' } },
    { handedOver: true, since: new Date(startMs + 2 * 60_000), by: { kind: 'member', id: 'u1' }, openSeconds: 180 },
  ])
  expect(workspace).toEqual({ 24: { begun: 1, answered: 1 } })
  expect(member).toEqual({ 24: { replied: 1 } })
})

test('of two customers who wait and are merged, the one who wrote first waits on', () => {
  const answer = (id: string, minutes: number): NewAnswer => ({
    id,
    numberId: 'n1',
    conversationId: `c-${id}`,
    contactId: `p-${id}`,
    since: new Date(startMs + minutes * 60_000),
    open: true,
  })
  const sums = createSums()
  const [kept, other] = [answer('kept', 30), answer('other', 0)]
  const following = createFollowWaiting([kept, other], { sums, newId: () => 'new', times: answerTimes })
  following.move(other, { contactId: 'p-kept', conversationId: 'c-kept' })
  expect(following.changes()).toEqual({
    stored: [{ ...other, contactId: 'p-kept', conversationId: 'c-kept' }],
    removed: ['kept'],
  })
  expect(dailySums(sums)[0]?.slots).toEqual({ 26: { begun: -1 } })
})

test('rates and changes say nothing of nothing', () => {
  expect([changeOf(5, 0), changeOf(0, 0), changeOf(9, 8), changeOf(0, 4)]).toEqual([null, 0, 12.5, -100])
  expect([rateOf(0, 0), rateOf(1, 3), rateOf(3, 2)]).toEqual([null, 33.3, 100])
  expect([pointsOf(94.2, 92.1), pointsOf(94.2, null)]).toEqual([2.1, null])
})

test('a bot’s end is an activity with its outcome; its beginning, and what people do, is none', () => {
  type Changed = Extract<RecordedEvent, { type: 'conversation.changed' }>
  const ended = (owned: object, conversation: object = {}, by: RecordedEvent['by'] = { kind: 'bot', id: 'b1' }) => {
    const handed = handOver(5) as Changed
    const { waitingSince: _, ...thread } = handed.data.conversation
    const data = { conversation: { ...thread, ...conversation }, became: { owned: { epoch: 3, ...owned } } }
    return activityOf({ ...handed, by, data: data as unknown as Changed['data'] })?.text
  }
  const at = '2026-05-04T10:00:00.000Z'
  expect(ended({ reason: 'returned', completed: true })).toBe('Bot resolved a conversation')
  expect(ended({ reason: 'closed' })).toBe('Bot resolved a conversation')
  expect(ended({ reason: 'returned' }, { waitingSince: at })).toBe('Bot handed over to a person')
  expect(ended({ reason: 'assigned', claimed: true }, { owner: { kind: 'member', id: 'u1' } })).toBe(
    'Bot handed over to a person',
  )
  expect(ended({ reason: 'returned' })).toBe('Bot ended a conversation')
  expect(ended({ reason: 'bot' }, { owner: { kind: 'bot', id: 'b1' } })).toBeUndefined()
  expect(ended({ reason: 'assigned' }, {}, { kind: 'user', id: 'u1' })).toBeUndefined()
})

test('what comes again within two hours is one activity, its latest', () => {
  const of = (key: string, hours: number): Activity => ({
    key,
    kind: 'message',
    text: 'New message received',
    object: { kind: 'conversation', id: key },
    at: new Date(startMs + hours * 3_600_000),
  })
  const latest = withActivities([of('asha', 3), of('asha', 0.5), of('ravi', 2)], [of('asha', 4), of('mina', 5)])
  expect(latest.map(({ key, at }) => [key, (at.getTime() - startMs) / 3_600_000])).toEqual([
    ['mina', 5],
    ['asha', 4],
    ['ravi', 2],
    ['asha', 0.5],
  ])
})

test('a day is looked at half an hour after it has begun in UTC', () => {
  expect(nextLook(new Date('2026-05-04T10:00:00Z')).toISOString()).toBe('2026-05-05T00:30:00.000Z')
  expect(nextLook(new Date('2026-05-05T00:10:00Z')).toISOString()).toBe('2026-05-05T00:30:00.000Z')
  expect(nextLook(new Date('2026-05-05T00:30:00Z')).toISOString()).toBe('2026-05-06T00:30:00.000Z')
})
