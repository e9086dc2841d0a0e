import type { ActorContext } from '@parley/service-kit/http/context'
import { expect, test } from 'vitest'
import { atMost, createTeamReport } from './team-report.service.ts'

const times = (counts: Readonly<Record<number, number>>) => Array.from({ length: 12 }, (_, place) => counts[place] ?? 0)

test.each([
  [times({ 0: 1 }), 0.5, 60],
  [times({ 0: 5, 3: 5 }), 0.5, 60],
  [times({ 0: 4, 3: 5 }), 0.5, 600],
  [times({ 2: 95, 10: 5 }), 0.95, 300],
  [times({ 2: 94, 10: 6 }), 0.95, 86_400],
  [times({ 2: 9, 11: 1 }), 0.95, null],
])('of %j the share %d took at most %s seconds', (counts, share, seconds) => {
  expect(atMost(counts, share)).toEqual({ atMostSeconds: seconds })
})

test('who is rated in a period is listed, whether or not they answered in it; whoever sees one reads one', async () => {
  const asked: unknown[] = []
  const read = createTeamReport({
    rollups: { readAll: async () => [] },
    sendingHours: { zoneOf: async () => 'UTC' },
    conversationRecords: { countOpenByOwner: async () => new Map() },
    ratingRecords: {
      averages: async (_scope, { by }) => {
        asked.push(by)
        return new Map([['ann', { count: 2, average: 4.5 }]])
      },
    },
    now: () => new Date('2026-03-09T12:00:00Z'),
  })
  const readAs = async (id: string, isAdmin: boolean) => {
    const actor = { kind: 'user', id } as const
    const caller: ActorContext = { actor, workspaceId: 'w', requestId: 'r', may: () => isAdmin }
    return (await read(caller, { period: '7d' })).members.map(({ userId, rating }) => [userId, rating])
  }
  expect(await readAs('eve', true)).toEqual([['ann', { count: 2, average: 4.5 }]])
  expect(await readAs('ann', false)).toEqual([['ann', { count: 2, average: 4.5 }]])
  expect(await readAs('bob', false)).toEqual([['bob', null]])
  expect(asked).toEqual([undefined, 'ann', 'bob'])
})

test('what bots answer is a row of its own and no member’s, for who sees the team', async () => {
  const day = { day: '2026-03-09', part: 'counted' as const, id: 'r', workspaceId: 'w' }
  const rows = [
    { ...day, scope: 'bot:b1', slots: { 20: { answered: 2, sent: 5, taken: 2, closed: 1 } } },
    { ...day, scope: 'bot:b2', slots: { 21: { answered: 1, sent: 1 } } },
  ]
  const read = createTeamReport({
    rollups: { readAll: async (_scope, { of }) => (of === 'bot:' ? rows : []) },
    sendingHours: { zoneOf: async () => 'UTC' },
    conversationRecords: { countOpenByOwner: async () => new Map() },
    ratingRecords: { averages: async () => new Map() },
    now: () => new Date('2026-03-09T12:00:00Z'),
  })
  const readAs = (isAdmin: boolean) =>
    read({ actor: { kind: 'user', id: 'ann' }, workspaceId: 'w', requestId: 'r', may: () => isAdmin }, { period: '7d' })
  expect(await readAs(true)).toMatchObject({ members: [], bots: { answered: 3, closed: 1, sent: 6 } })
  expect(await readAs(false)).not.toHaveProperty('bots')
})
