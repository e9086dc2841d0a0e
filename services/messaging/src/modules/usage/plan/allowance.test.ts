import { expect, test } from 'vitest'
import { createAllowance } from './allowance.ts'
import type { WorkspacePlanRecord } from './quota.model.ts'

const workspaceOf = (created: string) => ({
  workspaceId: `${Math.floor(Date.parse(created) / 1000).toString(16)}${'0'.repeat(16)}`,
})
const allowance = (
  at: string,
  {
    created = '2026-03-01T03:00:00Z',
    zone = 'America/New_York',
    plan,
    onSample = false,
    next,
    loadedAt,
    hasLimits = true,
  }: Partial<Circumstances> = {},
) =>
  createAllowance({
    periods: {
      plan: async () =>
        plan
          ? { id: 'p', plan, ...(next && { next }), ...(onSample && loadedAt && { sampleToldAt: new Date(loadedAt) }) }
          : null,
    },
    sampleStates: {
      read: async () => (loadedAt === undefined ? null : { state: 'loaded', toldAt: new Date(loadedAt) }),
    },
    readHours: async () => ({ zone }),
    hasLimits,
  })(workspaceOf(created), new Date(at))
const of = (count: number) => ({ credits: count, messages: count })
interface Circumstances {
  readonly created: string
  readonly zone: string
  readonly plan: WorkspacePlanRecord['plan']
  /** True where it was chosen on top of the sample data. */
  readonly onSample: boolean
  readonly next: WorkspacePlanRecord['next']
  readonly loadedAt: string
  readonly hasLimits: boolean
}

test('a month begins at midnight of the zone on the day on which the workspace was created, whichever way the clock goes', async () => {
  // In New York it was still the 28th of February.
  const march = { period: 'months/0', from: '2026-02-28', to: '2026-03-28' }
  const found = await allowance('2026-03-28T03:59:59Z', { plan: 'growth' })
  expect(found).toMatchObject({ ...march, plan: 'Growth', limit: of(100_000), renews: true })
  expect([found.starts, found.ends].map((moment) => moment.toISOString())).toEqual([
    '2026-02-28T05:00:00.000Z',
    '2026-03-28T04:00:00.000Z',
  ])
  expect(await allowance('2026-03-28T04:00:00Z', { plan: 'growth' })).toMatchObject({ period: 'months/1' })
})

test('another zone names its periods alike: none begins anew with nothing used', async () => {
  for (const zone of ['Asia/Kolkata', 'America/New_York', 'Pacific/Auckland'])
    expect(await allowance('2026-04-15T12:00:00Z', { zone, plan: 'starter' })).toMatchObject({ period: 'months/1' })
})

test('without a plan a workspace has the trial of 14 days, and nothing follows it', async () => {
  const trial = { period: 'months/0', plan: 'Free Trial', limit: of(1000), renews: false, to: '2026-03-14' }
  expect(await allowance('2026-03-14T03:59:59Z')).toMatchObject({ ...trial, ended: false })
  expect(await allowance('2026-03-14T04:00:00Z')).toMatchObject({ ...trial, ended: true })
  const free = { ended: false, limit: of(1000), limited: false }
  expect(await allowance('2027-03-14T04:00:00Z', { hasLimits: false })).toMatchObject(free)
})

test('the sample has the plan that it tells of, with what it says to have used', async () => {
  const sample = { loadedAt: '2026-11-25T10:00:00Z', zone: 'Asia/Kolkata' }
  const used = { credits: 6580, messages: 7234 }
  const first = await allowance('2026-12-06T10:00:00Z', sample)
  const limit = { credits: 25_000, messages: 10_000 }
  expect(first).toMatchObject({ plan: 'Professional', planId: undefined, limit, usedBefore: used, to: '2026-12-07' })
  // The workspace's own is the trial, which it has had since it was created.
  expect(first.ownPlan).toEqual({ id: 'free_trial', name: 'Free Trial', to: '2026-03-15', ended: true })
  const young = await allowance('2026-12-06T10:00:00Z', { ...sample, created: '2026-11-25T09:00:00Z' })
  expect(young.ownPlan).toMatchObject({ to: '2026-12-09', ended: false })
  const next = await allowance('2026-12-07T10:00:00Z', sample)
  expect(next).toMatchObject({ from: '2026-12-07', to: '2027-01-06', usedBefore: of(0) })
  expect(next.period).not.toBe(first.period)
})

test('a plan that was chosen on top of the sample has its periods and its past; one from before has its own', async () => {
  const sample = { loadedAt: '2026-11-25T10:00:00Z', zone: 'Asia/Kolkata', plan: 'growth' } as const
  expect(await allowance('2026-12-06T10:00:00Z', { ...sample, onSample: true })).toMatchObject({
    plan: 'Growth',
    limit: of(100_000),
    usedBefore: { credits: 6580, messages: 7234 },
    to: '2026-12-07',
    ownPlan: undefined,
  })
  const planAllowance = await allowance('2026-12-06T10:00:00Z', sample)
  expect(planAllowance).toMatchObject({
    plan: 'Growth',
    usedBefore: of(0),
    period: 'months/9',
    sampleToldAt: undefined,
  })
})

test('a plan that follows counts from its day on, and is told of until then', async () => {
  const next = { plan: 'starter', from: '2026-04-28' } as const
  const before = await allowance('2026-04-28T03:59:59Z', { plan: 'growth', next })
  expect(before).toMatchObject({ plan: 'Growth', next: { plan: 'Starter', from: '2026-04-28' } })
  const after = await allowance('2026-04-28T04:00:00Z', { plan: 'growth', next })
  expect(after).toMatchObject({ plan: 'Starter', planId: 'starter', limit: of(25_000), next: undefined })
})
