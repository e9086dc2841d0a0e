import { messageSchema } from '@parley/contracts/inbox/messages'
import { expect, test } from 'vitest'
import type { MessageRecord } from './messages.model.ts'
import { toMessage } from './to-message.ts'

const at = new Date('2026-01-01T00:00:00Z')
const record = (fields: Partial<MessageRecord>): MessageRecord => ({
  id: 'a'.repeat(24),
  workspaceId: 'b'.repeat(24),
  conversationId: 'c'.repeat(24),
  numberId: 'd'.repeat(24),
  contactId: 'e'.repeat(24),
  direction: 'inbound',
  content: { type: 'text', text: 'a secret' },
  statusAt: {},
  cause: { kind: 'customer', id: 'e'.repeat(24) },
  sentAt: at,
  version: 1,
  createdAt: at,
  updatedAt: at,
  ...fields,
})

test('what a customer has deleted keeps its place and is told no more', () => {
  const message = toMessage(record({ deletedAt: at }))
  expect(message).toMatchObject({ deletedAt: at.toISOString(), sentAt: at.toISOString() })
  expect(JSON.stringify(message)).not.toContain('secret')
})

test.each([
  ['bot', 'consent', 'system'],
  ['workflow', 'assignment', 'system'],
  ['system', 'consent', 'system'],
  ['bot', 'f'.repeat(24), 'bot'],
  ['workflow', 'f'.repeat(24), 'workflow'],
])('what a %s did by the name of %s is shown as of a %s', (kind, id, shown) => {
  expect(toMessage(record({ direction: 'note', cause: { kind, id } })).cause).toEqual({ kind: shown, id })
})

test('a reaction that was taken back is not shown', () => {
  const reactions = [
    { by: 'customer', emoji: '', at },
    { by: 'member', emoji: '👍', at },
  ] as const
  expect(toMessage(record({ reactions })).reactions).toEqual([{ by: 'member', emoji: '👍', at: at.toISOString() }])
})

test.each([
  [
    { type: 'image', mimeType: 'image/png', waMediaId: '1' },
    { type: 'image', url: '', state: 'loading' },
  ],
  [
    { type: 'image', mimeType: 'image/png', mediaId: 'f1' },
    { type: 'image', url: '/api/media/f1' },
  ],
  [{ type: 'text' }, { type: 'unsupported' }],
  [{ type: 'something_new', body: 'x' }, { type: 'unsupported' }],
])('%j is shown as %j', (content, shown) => {
  const message = toMessage(record({ content }))
  expect(message.content).toMatchObject(shown)
  expect(messageSchema.safeParse(message).success).toBe(true)
})
