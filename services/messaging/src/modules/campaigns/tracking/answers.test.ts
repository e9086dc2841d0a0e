import { expect, test } from 'vitest'
import { answersOf } from './answers.ts'

const hour = 3_600_000
const start = new Date('2026-03-01T09:00:00Z')
const after = (hours: number) => new Date(start.getTime() + hours * hour)
const sent = (id: string, hours: number, over: Partial<Parameters<typeof answersOf>[1][number]> = {}) => ({
  id,
  conversationId: 'chat',
  sentAt: after(hours),
  statusAt: {},
  status: 'delivered' as const,
  cause: { kind: 'campaign', id: `campaign of ${id}`, block: 0 },
  ...over,
})
const wrote = (hours: number, over: Partial<Parameters<typeof answersOf>[0][number]> = {}) => ({
  messageId: 'answer',
  conversationId: 'chat',
  at: after(hours),
  isPress: false,
  isStop: false,
  ...over,
})
const answered = (...input: Parameters<typeof answersOf>) =>
  answersOf(...input).map(({ message, replied, clicked }) => ({ id: message.id, replied, clicked }))

test.each([
  ['what is written within three days answers the latest campaign before it', [wrote(30)], ['second']],
  ['what is written later answers none', [wrote(24 + 73)], []],
  ['what was written before any of them answers none', [wrote(-1)], []],
  ['what stands between two answers the first', [wrote(20)], ['first']],
  ['a quote answers what it quotes, for a week', [wrote(160, { replyTo: 'first' })], ['first']],
  ['a quote that is older than a week is no answer to the later one either', [wrote(190, { replyTo: 'first' })], []],
  ['a quote of something else is as good as none', [wrote(30, { replyTo: 'a colleague’s' })], ['second']],
  ['another conversation is none of theirs', [wrote(30, { conversationId: 'other' })], []],
])('%s', (_, written, ids) => {
  const messages = [sent('second', 24), sent('first', 0)]
  expect(answered(written, messages).map(({ id }) => id)).toEqual(ids)
})

test('what has not left is not answered; what waited is answered by when it left', () => {
  const dispatch = { priority: 1, notBefore: start, attempts: 0 }
  const unsent = [
    sent('failed', 2, { status: 'failed' }),
    sent('held', 2, { dispatch: { ...dispatch, state: 'held' } }),
    sent('cancelled', 2, { dispatch: { ...dispatch, state: 'cancelled' } }),
  ]
  expect(answered([wrote(3)], unsent)).toEqual([])
  const waited = sent('waited', 0, { statusAt: { sent: after(60) } })
  expect(answered([wrote(59)], [waited])).toEqual([])
  expect(answered([wrote(100)], [waited])).toMatchObject([{ id: 'waited' }])
  // An answer at once, in the platform’s whole seconds.
  const now = sent('now', 0, { sentAt: new Date(start.getTime() + 700) })
  expect(answered([wrote(0)], [now])).toMatchObject([{ id: 'now' }])
})

test('who asks for no more has not replied; a pressed button is counted as pressed', () => {
  expect(answered([wrote(1, { isStop: true })], [sent('offer', 0)])).toEqual([
    { id: 'offer', replied: false, clicked: false },
  ])
  const press = wrote(1, { isPress: true, replyTo: 'offer' })
  expect(answered([press], [sent('offer', 0)])).toEqual([{ id: 'offer', replied: true, clicked: true }])
  expect(answered([{ ...press, isStop: true }], [sent('offer', 0)])).toEqual([
    { id: 'offer', replied: false, clicked: true },
  ])
})
