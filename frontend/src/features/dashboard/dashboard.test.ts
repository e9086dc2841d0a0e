import { activityKinds, dashboardSchema } from '@parley/contracts/platform/dashboard'
import { dashboardOf } from '@parley/sample/dashboard'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { expect, test } from 'vitest'
import { activityLink } from './activity-link.ts'
import { creditsRemaining, creditsUsedPercent, resetText } from './credits.ts'
import { sparklinePath } from './sparkline-path.ts'
import { trendText } from './trend.ts'

const now = new Date('2026-03-08T22:15:00.000Z')
const sampleDataset = createSampleDataset({ now })
const sampleDashboard = (at: Date) => dashboardOf(sampleDataset, at)
const emptyDashboard = (at: Date) => dashboardOf(createSampleDataset({ now, records: 0 }), at)

test('the samples are records of the contract', () => {
  expect(dashboardSchema.parse(sampleDashboard(now))).toEqual(sampleDashboard(now))
  expect(dashboardSchema.parse(emptyDashboard(now))).toEqual(emptyDashboard(now))
})

test('credits remaining are what the credit bar leaves, and end the sparkline', () => {
  const { credits, stats } = sampleDashboard(now)
  expect(credits).toMatchObject({ used: 6_580, limit: 25_000 })
  expect(stats.creditsRemaining.value).toBe(18_420)
  for (const { value, series } of [stats.creditsRemaining, stats.activeCampaigns, stats.responseRate]) {
    expect(series.points.at(-1)).toEqual({ at: now.toISOString(), value })
  }
})

test('the sample activity shows every kind, newest first, with a message that was not delivered', () => {
  const { activity } = sampleDashboard(now)
  expect(new Set(activity.map(({ kind }) => kind))).toEqual(new Set(activityKinds))
  expect(activity.find(({ kind }) => kind === 'error')?.text).toBe('Unable to deliver message')
  expect(activity.map(({ at }) => at)).toEqual(
    activity
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
})

test.each(['2026-03-08T22:15:00.000Z', '2026-12-31T23:59:59.999Z', '2028-02-20T00:00:00.000Z'])(
  'read at %s the sample resets in 12 days',
  (at) => expect(resetText(sampleDashboard(new Date(at)).credits, new Date(at))).toBe('resets in 12 days'),
)

test.each([
  ['2026-03-10T00:00:00.000Z', 'resets in 2 days'],
  ['2026-03-09T22:15:00.000Z', 'resets in 1 day'],
  ['2026-03-08T22:15:00.000Z', 'resets today'],
  ['2026-03-01T00:00:00.000Z', 'resets today'],
])('a reset at %s reads %j', (resetsAt, text) => expect(resetText({ resetsAt }, now)).toBe(text))

test('overdrawn credits leave none and fill the bar', () => {
  expect(creditsRemaining({ used: 26_000, limit: 25_000 })).toBe(0)
  expect(creditsUsedPercent({ used: 26_000, limit: 25_000 })).toBe(100)
  expect(creditsUsedPercent({ used: 6_580, limit: 25_000 })).toBeCloseTo(26.32)
})

test.each([
  [{ change: 12.5, unit: 'percent', since: 'last_month' }, '12.5% more than last month'],
  [{ change: -3, unit: 'percent', since: 'yesterday' }, '3% less than yesterday'],
  [{ change: 2.1, unit: 'points', since: 'last_month' }, '2.1 points above last month'],
  [{ change: -410, unit: 'count', since: 'yesterday' }, '410 fewer than yesterday'],
  [{ change: 1, unit: 'count', since: 'last_week' }, '1 more than last week'],
  [{ change: 0, unit: 'count', since: 'yesterday' }, 'Same as yesterday'],
] as const)('the trend %j reads %j', (trend, text) => expect(trendText(trend, 'en')).toBe(text))

test('messages of the sparkline are those of the traffic, and what is left of the credits never looks like nothing', () => {
  const { totalMessages, creditsRemaining: left } = sampleDashboard(now).stats
  expect(totalMessages.series.points.map(({ value }) => value)).toEqual(
    sampleDataset.traffic.slice(-14).map(({ sent, received }) => sent + received),
  )
  const values = left.series.points.map(({ value }) => value)
  expect(sparklinePath(values, { width: 10, height: 4, from: 0 }).line).toMatch(/^M0 0L.*L10 0\.8/)
})

test('active campaigns are counted from the story, now and on the days before', () => {
  const { activeCampaigns } = sampleDashboard(now).stats
  expect(activeCampaigns.value).toBe(
    [...sampleDataset.campaigns.values()].filter(({ status }) => status === 'active').length,
  )
  expect(activeCampaigns.series.points.some(({ value }) => value !== activeCampaigns.value)).toBe(true)
})

test('every item is about something that the story has, and leads to it', () => {
  const maps = {
    message: sampleDataset.contacts,
    error: sampleDataset.contacts,
    campaign: sampleDataset.campaigns,
    bot: sampleDataset.bots,
  }
  for (const { kind, object } of sampleDashboard(now).activity) {
    expect(maps[kind].get(object.id)?.name).toBe(object.name)
    expect(activityLink({ kind, object })).toContain(encodeURIComponent(object.name))
  }
})

test('a sparkline spans its box; a flat one runs through the middle; one value draws nothing', () => {
  expect(sparklinePath([1, 3, 2], { width: 10, height: 4 })).toEqual({
    line: 'M0 4L5 0L10 2',
    area: 'M0 4L5 0L10 2L10 4L0 4Z',
  })
  expect(sparklinePath([5, 5], { width: 10, height: 4 }).line).toBe('M0 2L10 2')
  expect(sparklinePath([5], { width: 10, height: 4 })).toEqual({ line: '', area: '' })
})
