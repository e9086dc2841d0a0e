import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeliveryFacts, deliveryPlanSchema, deliverySteps, planDelivery } from './delivery-plan.ts'
import { hoursIn } from './sending-hours.ts'

const hourMs = 3_600_000
const anyHour = { limited: false, zone: 'UTC', opens: '09:00', closes: '21:00' }
const daily = { ...anyHour, limited: true }
/** Unless it names groups, of one. */
type Overrides = Partial<DeliveryFacts> & { readonly recipients?: number; readonly withOpenWindow?: number }
const facts = ({ recipients = 1000, withOpenWindow = 0, ...over }: Overrides = {}): DeliveryFacts => ({
  at: new Date('2026-03-14T10:00:00Z'),
  ratePerSecond: 10,
  sharedWith: 0,
  hours: anyHour,
  groups: [{ recipients, withOpenWindow, zones: [] }],
  ...over,
})
const days = (over: Overrides) =>
  planDelivery(facts(over)).days.map(({ date, count, limitedBy }) => [date.slice(5), count, limitedBy])
const finish = (over: Overrides) => planDelivery(facts(over)).finishAt

test('at the rate of the number, of which other campaigns have equal shares', () => {
  expect(planDelivery(facts())).toEqual({
    finishAt: '2026-03-14T10:01:40.000Z',
    days: [{ date: '2026-03-14', count: 1000, limitedBy: 'number' }],
    beyond: 0,
  })
  expect(finish({ sharedWith: 1 })).toBe('2026-03-14T10:03:20.000Z')
  expect(finish({ recipients: 0 })).toBe('2026-03-14T10:00:00.000Z')
})

test('not outside of the sending hours: what the day does not take waits for the next one', () => {
  const hours = { ...daily, zone: 'Asia/Kolkata' }
  // 15:30 to 21:00 there is 5½ hours.
  expect(days({ recipients: 400_000, hours })).toEqual([
    ['03-14', 198_000, 'number'],
    ['03-15', 202_000, 'hours'],
  ])
  expect(finish({ at: new Date('2026-03-14T16:00:00Z'), hours })).toBe('2026-03-15T03:31:40.000Z')
})

test('each zone within its own hours, the one that closes first before the others', () => {
  const at = new Date('2026-03-14T10:00:00Z')
  const zones = [['Europe/Berlin'], ['Asia/Kolkata'], ['America/New_York', 'America/Los_Angeles']]
  const groups = zones.map((groupZones) => ({ zones: groupZones, recipients: 18_000 }))
  const steps = [...deliverySteps(facts({ at, groups, hours: daily }))]
  const began = (group: number) => steps.find(({ shares }) => shares.some(([index]) => index === group))?.from
  // 15:30 in Kolkata, 11:00 in Berlin and 06:00 in New York; half an hour for each. In Los Angeles it is nine at 16:00 UTC.
  expect([1, 0, 2].map((group) => new Date(began(group) ?? 0).toISOString().slice(11, 16))).toEqual([
    '10:00',
    '10:30',
    '16:00',
  ])
  expect(days({ at, groups, hours: daily })).toEqual([['03-14', 54_000, 'hours']])
  expect(finish({ at, groups, hours: daily })).toBe('2026-03-14T16:30:00.000Z')
  expect(finish({ at, groups, hours: anyHour })).toBe('2026-03-14T11:30:00.000Z')
})

test('no more customers in 24 hours than the portfolio allows, those of before counted', () => {
  const frees = [
    { at: new Date('2026-03-14T12:00:00Z'), count: 100 },
    { at: new Date('2026-03-14T18:30:00Z'), count: 50 },
  ]
  const portfolio = { limit: 250, frees }
  // 100 now, 100 and 50 as they become free, then again as these become free a day later.
  expect(days({ recipients: 500, portfolio })).toEqual([
    ['03-14', 250, 'portfolio'],
    ['03-15', 250, 'portfolio'],
  ])
  expect(finish({ recipients: 250, portfolio })).toBe('2026-03-14T18:30:05.000Z')
  expect(finish({ recipients: 260, withOpenWindow: 160, portfolio })).toBe('2026-03-14T10:00:26.000Z')
  // The tier was lowered: nothing is free before less than the limit is used.
  expect(finish({ recipients: 1, portfolio: { limit: 40, frees } })).toBe('2026-03-14T18:30:00.100Z')
})

test('it looks 30 days ahead and says how many are left', () => {
  const plan = planDelivery(facts({ recipients: 10_000, portfolio: { limit: 250, frees: [] } }))
  expect(plan).toMatchObject({ finishAt: null, beyond: 10_000 - 30 * 250 })
  expect(deliveryPlanSchema.parse(plan).days).toHaveLength(30)
  expect(planDelivery(facts({ portfolio: { limit: 0, frees: [] } }))).toEqual({
    finishAt: null,
    days: [],
    beyond: 1000,
  })
})

test('30 days from late in an evening reach 32 dates where the clock is put forward', () => {
  const hours = { ...anyHour, zone: 'Europe/Berlin' }
  const plan = planDelivery(
    facts({ at: new Date('2026-03-26T22:01:00Z'), ratePerSecond: 0.1, recipients: 1_000_000, hours }),
  )
  expect(deliveryPlanSchema.parse(plan).days).toHaveLength(32)
})

test('the hours are those of the clock on the wall where it is changed meanwhile', () => {
  const hours = { ...daily, zone: 'Europe/Berlin', opens: '01:00', closes: '04:00' }
  const night = (at: string) => days({ at: new Date(at), recipients: 200_000, hours })[0]
  expect(night('2026-03-28T23:00:00Z')).toEqual(['03-29', 2 * 36_000, 'hours'])
  expect(night('2026-10-24T22:00:00Z')).toEqual(['10-25', 4 * 36_000, 'hours'])
})

const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30')).map(([hour, minutes]) => {
  return `${String(hour).padStart(2, '0')}:${minutes}`
})
const startMs = Date.parse('2026-03-26T00:00:00Z')
const arbitraryFacts = fc.record({
  // Around both changes of the clock.
  at: fc
    .tuple(fc.constantFrom(0, 212), fc.integer({ min: 0, max: 5 * 24 * 60 }))
    .map(([day, minute]) => new Date(startMs + day * 24 * hourMs + minute * 60_000 + 123)),
  groups: fc.array(
    fc.record({
      recipients: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 1_000_000 })),
      withOpenWindow: fc.integer({ min: 0, max: 500 }),
      zones: fc.subarray(['Europe/London', 'America/New_York', 'America/Los_Angeles', 'Asia/Kolkata', 'Asia/Tokyo']),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  ratePerSecond: fc.constantFrom(0.9, 4, 57.6, 720),
  sharedWith: fc.integer({ min: 0, max: 4 }),
  hours: fc.record({
    limited: fc.boolean(),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
    opens: clock,
    closes: clock,
  }),
  portfolio: fc.option(
    fc.record({
      limit: fc.constantFrom(0, 1, 250, 2000, 100_000),
      frees: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 24 * 60 }).map((minute) => new Date(startMs + minute * 60_000)),
          count: fc.integer({ min: 1, max: 3000 }),
        }),
        { maxLength: 5 },
      ),
    }),
    { nil: undefined },
  ),
})
/** Places become free within a day of the start. */
const someFacts = arbitraryFacts.map(({ portfolio, groups, ...rest }) => ({
  ...rest,
  groups: groups.map((group) => ({ ...group, withOpenWindow: Math.min(group.withOpenWindow, group.recipients) })),
  portfolio: portfolio && {
    limit: portfolio.limit,
    frees: portfolio.frees.map(({ at, count }) => ({
      count,
      at: new Date(rest.at.getTime() + at.getTime() - startMs),
    })),
  },
}))
const seeded = { numRuns: 60 }

/** The rules that a step of a forecast breaks. */
function brokenBy(deliveryFacts: DeliveryFacts): string[] {
  const { portfolio, hours, ratePerSecond, sharedWith, groups } = deliveryFacts
  const withOpenWindow = groups.reduce((sum, group) => sum + (group.withOpenWindow ?? 0), 0)
  const left = groups.map(({ recipients }) => recipients)
  const broken = new Set<string>()
  const holds = (rule: string, isKept: boolean) => !isKept && broken.add(rule)
  const perMs = ratePerSecond / 1000 / (sharedWith + 1)
  const slots = (portfolio?.frees ?? []).map(({ at, count }) => ({ untilMs: at.getTime(), count }))
  slots.sort((left, right) => left.untilMs - right.untilMs)
  let [used, firstTaken] = [slots.reduce((sum, { count }) => sum + count, 0), 0]
  let [allowed, sent, uncounted] = [0, 0, 0]
  const steps = [...deliverySteps(deliveryFacts)]
  const isAtEdge = (index: number) => index % 60 === 0 || [-1, 1].some((by) => steps[index + by]?.limitedBy === 'hours')
  for (const [index, { from, until, count, counted, shares, doneAt }] of steps.entries()) {
    holds(
      'without a gap',
      from === (steps[index - 1]?.until ?? deliveryFacts.at.getTime()) && from < until && doneAt <= until,
    )
    holds('rate of the minute', count <= Math.ceil(perMs * (until - from)) + 1)
    allowed += perMs * (until - from)
    sent += count
    uncounted += count - counted
    holds('rate', sent <= allowed + 1)
    holds('windows', uncounted <= withOpenWindow)
    holds('shares', shares.reduce((sum, [, share]) => sum + share, 0) === count)
    for (const [group, share] of shares) {
      left[group] = (left[group] ?? 0) - share
      holds('recipients of a group', share > 0 && left[group] >= 0)
      if (!isAtEdge(index) && steps[index - 1]?.shares.some(([before]) => before === group)) continue
      for (const ms of [from, Math.max(from, doneAt - 1)])
        holds('hours', !hoursIn(hours, groups[group]?.zones ?? [], new Date(ms)).waitsUntil)
    }
    if (!portfolio || counted === 0) continue
    for (let slot = slots[firstTaken]; slot && slot.untilMs <= from; slot = slots[firstTaken]) {
      used -= slot.count
      firstTaken += 1
    }
    used += counted
    slots.push({ untilMs: doneAt + 24 * hourMs, count: counted })
    holds('portfolio', used <= portfolio.limit)
  }
  return [...broken]
}

test('every recipient is in a day or beyond, and no limit is passed in any minute', () => {
  fc.assert(
    fc.property(someFacts, (deliveryFacts) => {
      const plan = deliveryPlanSchema.parse(planDelivery(deliveryFacts))
      const recipients = deliveryFacts.groups.reduce((sum, group) => sum + group.recipients, 0)
      expect(plan.days.reduce((sum, { count }) => sum + count, plan.beyond)).toBe(recipients)
      expect(brokenBy(deliveryFacts)).toEqual([])
    }),
    seeded,
  )
  // Some plans have a step for each minute of months: a busy machine takes longer than a test has otherwise.
}, 300_000)

test('hours that a clock leaves as it is put back are closed until it shows them again', () => {
  const hours = { ...daily, opens: '01:30', closes: '02:00' }
  const groups = [{ zones: ['America/Los_Angeles'], recipients: 7858 }]
  // From 08:30 to 09:00 UTC, then again from 09:30.
  expect(hoursIn(hours, ['America/Los_Angeles'], new Date('2026-11-01T08:30:00Z'))).toEqual({
    closesAt: new Date('2026-11-01T09:00:00Z'),
  })
  const deliveryFacts = facts({
    at: new Date('2026-10-24T00:00:00.123Z'),
    ratePerSecond: 0.9,
    sharedWith: 1,
    hours,
    groups,
  })
  expect(brokenBy(deliveryFacts)).toEqual([])
  // The second quarter past one has no end of its own, and is kept to the minute.
  const twice = { ...daily, opens: '00:00', closes: '01:15' }
  const london = [{ zones: ['Europe/London'], recipients: 811 }]
  const at = new Date('2026-10-25T01:00:00.123Z')
  expect(brokenBy(facts({ at, ratePerSecond: 0.9, hours: twice, groups: london }))).toEqual([])
})

test('more recipients of one zone are never done sooner, nor are those who share, wait or are limited', () => {
  const end = (deliveryFacts: DeliveryFacts) => {
    const { finishAt } = planDelivery(deliveryFacts)
    return finishAt === null ? Number.POSITIVE_INFINITY : Date.parse(finishAt)
  }
  fc.assert(
    fc.property(someFacts, fc.integer({ min: 1, max: 5000 }), ({ groups: [group], ...rest }, more) => {
      if (!group) return
      const deliveryFacts = { ...rest, groups: [group] }
      const sooner = end(deliveryFacts)
      const larger = [{ ...group, recipients: group.recipients + more }]
      expect(end({ ...deliveryFacts, groups: larger })).toBeGreaterThanOrEqual(sooner)
      expect(end({ ...deliveryFacts, portfolio: undefined })).toBeLessThanOrEqual(sooner)
    }),
    seeded,
  )
})
