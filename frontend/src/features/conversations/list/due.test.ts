import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expect, test } from 'vitest'
import { dueOf, isOverdue } from './due.ts'

const now = new Date('2026-03-09T10:00:00Z')
const waits = (dueAt: string | undefined, over: Partial<Conversation> = {}) => ({
  owner: { kind: 'nobody' as const },
  status: 'open' as const,
  waitingSince: '2026-03-09T09:30:00.000Z',
  ...(dueAt !== undefined && { dueAt }),
  ...over,
})

test.each([
  ['2026-03-09T10:12:00Z', 'due', '12 min'],
  ['2026-03-09T10:04:30Z', 'soon', '5 min'],
  ['2026-03-09T10:00:00Z', 'overdue', '1 min'],
  ['2026-03-09T07:59:00Z', 'overdue', '2 h'],
  ['2026-03-06T10:00:00Z', 'overdue', '3 d'],
])('an answer that is due at %s is %s, by %s', (dueAt, state, time) => {
  expect(dueOf(waits(dueAt), { now, timeZone: 'UTC' })).toMatchObject({ state, time })
  expect(isOverdue(waits(dueAt), now)).toBe(state === 'overdue')
})

test('nothing is due without a target, with a bot, or once it is closed', () => {
  const past = '2026-03-09T07:59:00Z'
  for (const other of [
    waits(undefined),
    waits(past, { owner: { kind: 'bot', id: 'b1' } }),
    waits(past, { status: 'closed' }),
  ])
    expect([dueOf(other, { now, timeZone: 'UTC' }), isOverdue(other, now)]).toEqual([undefined, false])
})

test('the title tells since when the customer waits', () => {
  expect(dueOf(waits('2026-03-09T10:12:00Z'), { now, timeZone: 'UTC' })?.title).toMatch(/^Waiting since .*9:30/)
})
