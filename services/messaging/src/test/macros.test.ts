import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Macro, MacroAction } from '@parley/contracts/inbox/macros'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathOf, withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<typeof parley.signIn>
let ann: Person
let bob: Person
let gone: Person
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  gone = parley.signIn({ role: 'agent' })
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
  await members.join(gone, 'Gone Lane', 'removed')
  chats = withChats(parley, ann)
})
afterAll(() => parley.stop())

const save = async (name: string, actions: readonly MacroAction[]): Promise<Macro> => {
  const { status, body } = await ann.call('POST', '/api/macros', { name, actions })
  expect([status, body.code]).toEqual([201, undefined])
  return body
}
const run = (
  conversation: Conversation,
  { id, version }: Macro,
  { by = ann, seen }: { by?: Person; seen?: number } = {},
) =>
  by.call('POST', `${pathOf(conversation)}/macros`, {
    macroId: id,
    macroVersion: version,
    ...(seen !== undefined && { version: seen }),
  })
const read = async (conversation: Conversation): Promise<Conversation> => ann.ask('GET', pathOf(conversation))
const textsOf = async (conversation: Conversation, direction: string): Promise<string[]> =>
  (await chats.threadOf(conversation))
    .filter((message: { direction: string; content: { type: string } }) => message.direction === direction)
    .flatMap(({ content }: { content: { type: string; text: string } }) =>
      content.type === 'text' ? content.text : [],
    )

test('a macro does in its order what a member could do by hand, and a repeated call does it once', async () => {
  const conversation = await chats.write('919812345001', 'Asha Rao', 'My order is broken')
  const macro = await save('Broken order', [
    { kind: 'add_tag', tag: 'broken' },
    { kind: 'note', text: 'Refund agreed' },
    { kind: 'reply', text: 'Sorry, {{first_name}}! We have refunded {{phone}}.' },
    { kind: 'assign', memberId: bob.userId },
    { kind: 'snooze', hours: 24 },
  ])
  const body = { macroId: macro.id, macroVersion: macro.version, version: conversation.version }
  const calls = [1, 2].map(() =>
    ann.request('POST', `${pathOf(conversation)}/macros`, body, { 'idempotency-key': 'macro-run-0001' }),
  )
  for (const answer of await Promise.all(calls)) expect([200, 409]).toContain(answer.status)
  expect(await read(conversation)).toMatchObject({
    status: 'snoozed',
    owner: { kind: 'member', id: bob.userId },
    contact: { tags: ['broken'] },
  })
  expect(await textsOf(conversation, 'note')).toEqual(['Refund agreed'])
  expect(await textsOf(conversation, 'outbound')).toEqual(['Sorry, Asha! We have refunded +91 98123 45001.'])
})

test('what the runner may not do, a closed window and a blocked contact refuse all of it, in the words as by hand', async () => {
  const conversation = await chats.write('919812345002', 'Ravi Shah', 'Hello')
  const macro = await save('Answer and tag', [
    { kind: 'add_tag', tag: 'answered' },
    { kind: 'reply', text: 'We are on it.' },
  ])
  const viewer = parley.signIn({ role: 'viewer' })
  expect((await run(conversation, macro, { by: viewer })).status).toBe(403)
  const byHand = () =>
    ann.call('POST', `${pathOf(conversation)}/messages`, { content: { type: 'text', text: 'We are on it.' } })
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(conversation.id) }, { $set: { windowExpiresAt: new Date(0) } })
  const closed = await run(conversation, macro)
  expect([closed.status, closed.body.code, closed.body.message]).toEqual([
    409,
    'window_closed',
    (await byHand()).body.message,
  ])
  await ann.call('PUT', `/api/contacts/${conversation.contact.id}/blocked`, { blocked: true })
  const blocked = await run(conversation, macro)
  expect([blocked.status, blocked.body.message]).toEqual([409, (await byHand()).body.message])
  expect((await read(conversation)).contact.tags).toEqual([])
  expect(await textsOf(conversation, 'outbound')).toEqual([])
})

test('of two who take a conversation at once the second is told what was done and what was refused', async () => {
  const conversation = await chats.write('919812345003', 'Mia Khan', 'Hi')
  const macro = await save('Take it', [
    { kind: 'add_tag', tag: 'taken' },
    { kind: 'assign' },
    { kind: 'note', text: 'Mine' },
  ])
  const first = await run(conversation, macro, { by: bob, seen: conversation.version })
  expect(first.body).toMatchObject({ done: 3, refused: null, conversation: { owner: { id: bob.userId } } })
  const second = await run(conversation, macro, { seen: conversation.version })
  expect(second.status).toBe(200)
  expect(second.body).toMatchObject({ done: 1, refused: { index: 1, code: 'stale_version' } })
  expect(second.body.refused.message).toBe(
    'Done: Add the tag taken. Refused: Assign to me. Someone else has changed this in the meantime. Not done: Write a note.',
  )
  expect((await read(conversation)).owner).toMatchObject({ id: bob.userId })
  expect(await textsOf(conversation, 'note')).toEqual(['Mine'])
})

test('a member who has left is a problem of the macro, and a macro that was changed is looked at again', async () => {
  const conversation = await chats.write('919812345004', 'Noor Ali', 'Hi')
  const macro = await save('To somebody', [
    { kind: 'add_tag', tag: 'passed' },
    { kind: 'assign', memberId: gone.userId },
  ])
  expect(macro.problems).toMatchObject([{ index: 1, message: expect.stringContaining('not a member') }])
  expect((await run(conversation, macro)).status).toBe(400)
  expect((await read(conversation)).contact.tags).toEqual([])
  const changed = await ann.call('PATCH', `/api/macros/${macro.id}`, {
    version: macro.version,
    actions: [{ kind: 'close' }],
  })
  expect(changed.body).toMatchObject({ version: 2, problems: [] })
  const late = await run(conversation, macro)
  expect(late).toMatchObject({
    status: 409,
    body: { code: 'stale_version', current: { actions: [{ kind: 'close' }] } },
  })
  expect((await run(conversation, changed.body)).body.conversation).toMatchObject({ status: 'closed' })
})

test('macros are named once, bounded, indexed, and those of another workspace are not there', async () => {
  const macro = await save('Ünique', [{ kind: 'close' }])
  expect((await ann.call('POST', '/api/macros', { name: 'unique', actions: [{ kind: 'close' }] })).body.code).toBe(
    'macro_exists',
  )
  for (const actions of [
    [],
    [{ kind: 'close' }, { kind: 'note', text: 'late' }],
    [{ kind: 'assign' }, { kind: 'close' }],
    [{ kind: 'assign' }, { kind: 'unassign' }],
    [{ kind: 'reply', text: 'You have {{points}} points' }],
  ])
    expect((await ann.call('POST', '/api/macros', { name: 'Wrong', actions })).status).toBe(400)
  await expectIndexed(parley.database.connection, () => parley.services.macros.list(ann))
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const conversation = await chats.write('919812345005', 'Omar Haq', 'Hi')
  const refused = [
    await eve.call('PATCH', `/api/macros/${macro.id}`, { version: 1, name: 'Mine' }),
    await eve.call('DELETE', `/api/macros/${macro.id}`),
    await run(conversation, macro, { by: eve }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await eve.ask('GET', '/api/macros')).items).toEqual([])
  expect((await ann.call('DELETE', `/api/macros/${macro.id}`)).status).toBe(204)
})
