import { contactSchema, maxContactName } from '@parley/contracts/contacts/contacts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitWebhook } from '../../whatsapp/split-webhook.ts'
import type { IngestedEvent } from '../channel/ingest/ingested-events.ts'
import { contentOf } from './content-of.ts'
import { decide } from './decide.ts'
import { type ReadItem, readItem } from './read-webhook-items.ts'

const numberIds = new Map([['1', 'a'.repeat(24)]])
const head = { metadata: { display_phone_number: '15550001111', phone_number_id: '1' } }
const times = { receivedAt: new Date('2026-03-09T10:00:00Z'), createdAt: new Date('2026-03-09T10:00:00Z') }

/** Returns what is read from a webhook with these changes of the account. */
function read(field: string, value: object): ReadItem[] {
  const body = JSON.stringify({ entry: [{ id: '9', changes: [{ field, value: { ...head, ...value } }] }] })
  const items = splitWebhook(Buffer.from(body)) ?? []
  return items.flatMap((item) => {
    const event = { ...item, id: 'b', workspaceId: 'c', attempts: 0, ...times } as unknown as IngestedEvent
    return readItem(event, numberIds) ?? []
  })
}
const message = (over: object = {}) => ({
  id: 'wamid.1',
  from: '919811100001',
  timestamp: '1750096325',
  type: 'text',
  text: { body: 'Hi' },
  ...over,
})
const people = (contact: object) => [{ profile: { name: 'Meena' }, wa_id: '919811100001', ...contact }]

function personOf(pieces: readonly ReadItem[]) {
  const [piece] = pieces
  if (piece?.kind !== 'message') throw new Error(`it is read as ${piece?.kind}`)
  return piece.person
}
/** Returns the stored contact of a person who writes for the first time, as lists show it. */
const contactOf = (person: ReturnType<typeof personOf>) => ({
  id: 'd',
  createdAt: '2026-03-09T10:00:00.000Z',
  updatedAt: '2026-03-09T10:00:00.000Z',
  version: 1,
  name: person.name || person.phone || person.username || 'Customer',
  phone: person.phone,
  waUserId: person.waUserId,
  username: person.username,
  tags: [],
  attributes: {},
  optIn: { marketing: 'unknown', source: 'inbound', at: null },
  lastContactAt: null,
  source: 'inbound',
  blocked: false,
})

test.each([
  ['a name of blanks', { profile: { name: ' \t ' } }, { name: undefined }],
  ['a name of signs that nobody sees', { profile: { name: '\u200b\u202e\ufeff' } }, { name: undefined }],
  ['a name of 121 characters', { profile: { name: 'x'.repeat(121) } }, { name: 'x'.repeat(maxContactName) }],
  ['a name that would be cut inside a sign', { profile: { name: `${'x'.repeat(119)}🙂` } }, { name: 'x'.repeat(119) }],
  ['a name that is a number', { profile: { name: 7 } }, { name: undefined }],
  ['a name with a line break', { profile: { name: 'Mira\nRao ' } }, { name: 'Mira Rao' }],
  ['a username with its sign', { profile: { name: 'M', username: '@mira.rao' } }, { username: 'mira.rao' }],
  ['a username of 36 letters', { profile: { name: 'M', username: 'm'.repeat(36) } }, { username: undefined }],
  ['an empty username', { profile: { name: 'M', username: '@' } }, { username: undefined }],
])('%s is brought to what a contact may have', (_what, contact, expected) => {
  const person = personOf(read('messages', { contacts: people(contact), messages: [message()] }))
  expect(person).toMatchObject(expected)
  expect(contactSchema.safeParse(contactOf(person)).error).toBeUndefined()
})

test.each([
  ['919811100001', undefined, { phone: '+919811100001', waUserId: undefined }],
  ['+919811100001', undefined, { phone: '+919811100001', waUserId: undefined }],
  // These are no E.164 numbers, yet messages come from them.
  ['12345', undefined, { phone: undefined, waUserId: '12345' }],
  ['12345678901234567', undefined, { phone: undefined, waUserId: '12345678901234567' }],
  ['0198111000', undefined, { phone: undefined, waUserId: '0198111000' }],
  [919811100001, undefined, { phone: '+919811100001', waUserId: undefined }],
  [undefined, 'IN.1', { phone: undefined, waUserId: 'IN.1' }],
  ['919811100001', `IN.${'1'.repeat(180)}`, { phone: '+919811100001', waUserId: `IN.${'1'.repeat(137)}` }],
])('a sender %j with the user id %j is somebody whom a contact can be', (from, userId, expected) => {
  const person = personOf(read('messages', { contacts: [], messages: [message({ from, from_user_id: userId })] }))
  expect(person).toMatchObject(expected)
  expect(contactSchema.safeParse(contactOf(person)).error).toBeUndefined()
})

test('whoever a webhook names, the contact keeps to its contract', () => {
  const odd = fc.oneof(fc.string({ maxLength: 150, unit: 'binary' }), fc.jsonValue({ maxDepth: 1 }))
  const digits = fc.stringMatching(/^\d{1,20}$/)
  const contact = fc.record({ name: odd, username: odd })
  fc.assert(
    fc.property(contact, fc.oneof(digits, odd), odd, (profile, from, userId) => {
      const pieces = read('messages', { contacts: [{ profile }], messages: [message({ from, from_user_id: userId })] })
      const person = personOf(pieces)
      if (person.phone === undefined && person.waUserId === undefined) return
      expect(contactSchema.safeParse(contactOf(person)).error).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

test('what is written in a group is no message of its sender: the number is told of it once a month, without a word of it', () => {
  const group = { group_id: 'Y2FwaV9ncm91cDox' }
  const contacts = people({})
  const reaction = { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '👍' } }
  const pieces = [
    ...read('messages', { contacts, messages: [message(group)] }),
    ...read('messages', { contacts, messages: [message({ ...group, ...reaction, id: 'wamid.2' })] }),
  ]
  const notice = { kind: 'account', field: 'group_messages', accountId: '9', at: new Date('2025-06-01T00:00:00Z') }
  expect(pieces).toMatchObject([notice, notice])
  expect(JSON.stringify(pieces)).not.toMatch(/Hi|919811100001|Meena/)
})

test('an opened chat, and a mark that names no message, are nothing that somebody has written', () => {
  for (const over of [
    { type: 'request_welcome' },
    { type: 'reaction', reaction: { emoji: '👍' } },
    { type: 'edit', edit: {} },
    { type: 'revoke', revoke: null },
  ])
    expect(read('messages', { contacts: people({}), messages: [message(over)] })).toEqual([])
})

const call = (over: object = {}) => ({
  id: 'wacid.1',
  from: '919811100001',
  to: '15550001111',
  timestamp: '1750096325',
  event: 'terminate',
  direction: 'USER_INITIATED',
  status: 'FAILED',
  ...over,
})

test('a call that nobody took is a line in the thread of who has called, and opens the window', () => {
  const [missed] = read('calls', { contacts: people({}), calls: [call()] })
  if (missed?.kind !== 'message') throw new Error('there is no line')
  expect(missed).toMatchObject({ direction: 'inbound', person: { phone: '+919811100001', name: 'Meena' } })
  expect(contentOf(missed.message.content)).toEqual({ type: 'system', text: 'Missed call', change: 'missed_call' })
  expect(missed.message.opensWindow).toBe(true)
  for (const over of [{ event: 'connect' }, { direction: 'BUSINESS_INITIATED' }])
    expect(read('calls', { calls: [call(over)] })).toEqual([])
})

test('a call that somebody took opens the window from its beginning on, and is no line', () => {
  const taken = call({ status: 'COMPLETED', start_time: '1750092725', end_time: '1750096325', duration: 3600 })
  const [piece] = read('calls', { contacts: people({}), calls: [taken] })
  if (piece?.kind !== 'message') throw new Error('there is no call')
  const { numberId, direction, message } = piece
  const inThread = { kind: 'message', conversationId: 'b', contactId: 'd', numberId, direction, message } as const
  const { inserts, conversations } = decide([inThread], [])
  expect(inserts).toEqual([])
  expect(conversations).toEqual([
    { id: 'b', unread: 0, messages: 0, reopens: false, windowExpiresAt: new Date('2025-06-17T16:52:05.000Z') },
  ])
})

test.each([
  ['1750096325', '2025-06-16T17:52:05.000Z'],
  [1750096325, '2025-06-16T17:52:05.000Z'],
  ['1750096325123', '2025-06-16T17:52:05.000Z'],
  ['253402300799', '9999-12-31T23:59:59.000Z'],
])('a time of %j has a date that lists can tell', (timestamp, iso) => {
  const [piece] = read('messages', { contacts: people({}), messages: [message({ timestamp })] })
  expect(piece?.kind === 'message' && piece.message.at.toISOString()).toBe(iso)
})

test.each(['0', '-5', '9e20', 'soon', null])('a time of %j is none', (timestamp) => {
  expect(() => read('messages', { contacts: people({}), messages: [message({ timestamp })] })).toThrow()
})
