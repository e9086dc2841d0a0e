import type { Usage } from '@parley/contracts/usage/usage'
import { expect, test } from 'vitest'
import { forecastOf, noticesOf, stepOf } from './notices.ts'

const at = new Date('2026-11-25T12:00:00Z')
const ends = new Date('2026-12-09T00:00:00Z')
const meter = (used: number, limit = 1000) => ({ limit, used, held: 0, left: limit - used })
const usageOf = (messages: number, credits = 0, over: Partial<Usage> = {}) => ({
  plan: 'Starter',
  price: { amount: 999_00, currency: 'INR' },
  from: '2026-11-09',
  to: '2026-12-09',
  endsAt: ends.toISOString(),
  renews: true,
  ended: false,
  limited: true,
  messages: meter(messages),
  credits: meter(credits),
  ...over,
})
const allowance = { period: 'months/3', zone: 'Asia/Kolkata', sampleToldAt: undefined }
const notices = (usage: ReturnType<typeof usageOf>, forecast?: Parameters<typeof noticesOf>[2]['forecast']) =>
  noticesOf(usage, allowance, { forecast, at })

test('members see another step at 80, 90 and 100 percent', () => {
  expect([0, 79.9, 80, 89.9, 90, 99.9, 100, 130].map(stepOf)).toEqual([0, 0, 80, 80, 90, 90, 100, 100])
})

test('at 80, 90 and 100 percent there is one notice each for the period and the plan, by the fuller meter', () => {
  expect(notices(usageOf(799))).toEqual([])
  const [first] = notices(usageOf(800))
  expect(first).toMatchObject({
    key: 'usage/months/3/Starter/80',
    category: 'billing',
    title: '80% of the plan’s messages are used',
    body: '800 of 1,000 messages of Starter; renewed on Dec 9, 2026. Once all are used, no campaign can start. Replies to customers are always sent.',
  })
  expect(notices(usageOf(899))[0]?.key).toBe(first?.key)
  const keyOf = (messages: number) => notices(usageOf(messages))[0]?.key
  expect([900, 999, 1000, 1200].map(keyOf)).toEqual(
    ['90', '90', '100', '100'].map((step) => `usage/months/3/Starter/${step}`),
  )
  expect(notices(usageOf(850, 0, { plan: 'Growth' }))[0]?.key).not.toBe(first?.key)
  expect(notices(usageOf(100, 900))[0]?.title).toBe('90% of the plan’s credits are used')
  expect(notices(usageOf(1010))[0]?.title).toBe('All messages in the plan are used up')
})

test('figures of the sample data raise nothing; what is sent beside them counts', () => {
  const sample = { credits: 950, messages: 900 }
  const beside = (messages: number) => usageOf(900 + messages, 950, { sample })
  expect([notices(beside(0)), notices(beside(99))]).toEqual([[], []])
  const pace = { perDay: { messages: 200, credits: 0 }, now: at, ends }
  expect([forecastOf(beside(99), pace), forecastOf(beside(600), pace)?.name]).toEqual([undefined, 'messages'])
  expect(notices(beside(800))[0]).toMatchObject({
    title: '80% of the plan’s messages are used',
    body: expect.stringMatching(/^800 of 1,000 messages of Starter;/),
  })
})

test('nobody is told where nothing is limited, or once a trial is over', () => {
  expect([...notices(usageOf(999, 0, { limited: false })), ...notices(usageOf(999, 0, { ended: true }))]).toEqual([])
})

test('a pace that reaches the limit before the period ends is told, with the day in the zone of the workspace', () => {
  const forecast = forecastOf(usageOf(600), { perDay: { messages: 50, credits: 10 }, now: at, ends })
  expect(forecast).toEqual({ name: 'messages', at: new Date('2026-12-03T12:00:00Z') })
  const [notice] = notices(usageOf(600), { name: 'messages', at: new Date('2026-12-03T20:00:00Z') })
  expect(notice).toMatchObject({ key: 'usage/months/3/Starter/forecast', title: 'The plan’s messages will not last' })
  expect(notice?.body).toMatch(
    /^At the pace of the last 7 days all 1,000 messages of Starter are used around Dec 4, 2026;/,
  )
})

test('nothing is foreseen below half of the limit, of what is used up already, or after the end of the period', () => {
  const of = (messages: number, perDay: number) =>
    forecastOf(usageOf(messages), { perDay: { messages: perDay, credits: 0 }, now: at, ends })
  expect([of(499, 500), of(1000, 500), of(600, 0), of(600, 29)]).toEqual([undefined, undefined, undefined, undefined])
  expect(of(500, 100)).toBeDefined()
})

test('texts fit whatever the figures are', () => {
  const most = meter(199_999_999, 200_000_000)
  const usage = usageOf(0, 0, { plan: 'Professional', messages: most, credits: most, renews: false })
  for (const { title, body, action } of notices(usage, { name: 'credits', at })) {
    expect(title.length).toBeLessThanOrEqual(120)
    expect(body.length).toBeLessThanOrEqual(300)
    expect(action?.length).toBeLessThanOrEqual(40)
  }
})
