import { expect, test } from 'vitest'
import { stagesOf } from './conversation-change.ts'

const [early, late] = [new Date('2026-05-01T10:00:00Z'), new Date('2026-05-01T10:05:00Z')]
const change = { id: 'c', unread: 2, messages: 2, reopens: true }
const lastAt = (at: Date) => ({ id: 'm', text: 'hi', direction: 'inbound' as const, at })
const firstOf = ([stage]: ReturnType<typeof stagesOf>) => stage?.$set['firstMessageAt']

test('the oldest message of a change may be the first one ever, whichever change is applied first', () => {
  expect(firstOf(stagesOf({ ...change, firstAt: early, last: lastAt(late) }, late))).toEqual({
    $min: ['$firstMessageAt', early],
  })
  expect(firstOf(stagesOf({ ...change, messages: 1, last: lastAt(late) }, late))).toEqual({
    $min: ['$firstMessageAt', late],
  })
})
