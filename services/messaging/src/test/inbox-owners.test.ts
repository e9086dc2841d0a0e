import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { type Inbox, list, pathOf, withInbox } from './inbox-fixtures.ts'

let parley: Inbox['parley']
let ann: Inbox['ann']
let bob: Inbox['bob']
let asha: Inbox['asha']
let zoe: Inbox['zoe']
let mohan: Inbox['mohan']
const { change, names, read, threadOf, writes } = withInbox((inbox) => {
  ;({ parley, ann, bob, asha, zoe, mohan } = inbox)
})

test('a conversation is given to members alone, as they are now', async () => {
  const members = await parley.members()
  const elsewhere = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const gone = parley.signIn()
  await members.join(elsewhere, 'Eve Elsewhere')
  await members.join(gone, 'Gina Gone', 'removed')
  const before = await read(mohan)
  for (const id of [elsewhere.userId, gone.userId, 'f'.repeat(24), 'somebody']) {
    const { status, body } = await change(mohan, { owner: { kind: 'member', id } })
    expect([status, body.code, body.fields], id).toEqual([
      400,
      'validation_failed',
      { owner: 'This person is not a member of the workspace. Choose somebody else.' },
    ])
  }
  expect(await read(mohan)).toEqual(before)
  const viewer = parley.signIn({ role: 'viewer' })
  expect((await change(mohan, { owner: { kind: 'member', id: ann.userId } }, viewer)).status).toBe(403)
})

test('two do not take a conversation from each other unseen; a message in between is no conflict', async () => {
  const seen = await read(zoe)
  await writes('919812340002', 'Zoë Šimić', 'still there?')
  await eventually(async () => expect((await read(zoe)).version).toBeGreaterThan(seen.version))
  const assigned = await change(zoe, { owner: { kind: 'member', id: bob.userId }, version: seen.version }, bob)
  expect(assigned.body).toMatchObject({ owner: { kind: 'member', id: bob.userId } })
  const late = await change(zoe, { owner: { kind: 'member', id: ann.userId }, version: seen.version })
  expect(late).toMatchObject({
    status: 409,
    body: { code: 'stale_version', current: { owner: { id: bob.userId }, version: assigned.body.version } },
  })
  const both = await Promise.all(
    [ann, bob].map((by) =>
      change(zoe, { owner: { kind: 'member', id: ann.userId }, version: assigned.body.version }, by),
    ),
  )
  // The later caller finds the change already made, or is refused.
  expect(both.some(({ status }) => status === 200)).toBe(true)
  expect((await read(zoe)).owner).toMatchObject({ id: ann.userId })
})

test('the thread says who did what, and a message of the customer opens a snoozed conversation again', async () => {
  expect((await change(mohan, { status: 'closed', read: true })).status).toBe(200)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  expect((await change(mohan, { status: 'snoozed', snoozedUntil: until })).body).toMatchObject({
    status: 'snoozed',
    snoozedUntil: until,
  })
  const past = await change(mohan, { status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z' })
  expect(past).toMatchObject({ status: 400, body: { fields: { snoozedUntil: expect.any(String) } } })
  const lines = (await threadOf(mohan)).flatMap(({ content, cause, direction }) =>
    content.type === 'system' ? [{ direction, by: cause.id, ...content.activity }] : [],
  )
  expect(lines).toEqual([
    { direction: 'note', by: ann.userId, kind: 'closed' },
    { direction: 'note', by: ann.userId, kind: 'snoozed', until },
  ])
  await writes('447700900123', 'Mohan', 'back')
  await eventually(async () => expect(await read(mohan)).toMatchObject({ status: 'open', unreadCount: 1 }))
  expect(await read(mohan)).not.toHaveProperty('snoozedUntil')
})

test('a snoozed conversation is back when its time has come, once, and the thread says so', async () => {
  const { changes } = parley.services
  const { connection } = parley.database
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect((await change(mohan, { status: 'snoozed', snoozedUntil: later })).status).toBe(200)
  await expectIndexed(connection, changes.due)
  // An hour later.
  await connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(mohan.id) }, { $set: { snoozedUntil: new Date() } })
  await eventually(async () => expect(await read(mohan)).toMatchObject({ status: 'open' }))
  await Promise.all([1, 2].map(() => changes.wake({ ...parley.scope, id: mohan.id })))
  expect(await read(mohan)).not.toHaveProperty('snoozedUntil')
  const woken = (await threadOf(mohan)).filter(
    ({ content }) => content.type === 'system' && content.activity?.kind === 'woken',
  )
  expect(woken).toMatchObject([{ cause: { kind: 'member', id: ann.userId } }])
  await change(mohan, { status: 'snoozed' })
  expect(await changes.due()).toEqual([])
})

test("a member's message, a close and a change of owner raise the epoch by which bots are held off", async () => {
  const epoch = async () => (await parley.services.conversations.read(parley.scope, zoe.id)).ownerEpoch
  const before = await epoch()
  await ann.call('POST', `${pathOf(zoe)}/messages`, { content: { type: 'text', text: 'Me again' } })
  expect(await epoch()).toBe(before + 1)
  await change(zoe, { owner: { kind: 'nobody' } })
  await change(zoe, { owner: { kind: 'nobody' } })
  expect(await epoch()).toBe(before + 2)
  await change(zoe, { status: 'closed' })
  expect(await epoch()).toBe(before + 3)
})

test('who writes becomes the owner; closing frees the conversation, whoever had it', async () => {
  const say = (by: typeof ann) =>
    by.ask('POST', `${pathOf(zoe)}/messages`, { content: { type: 'text', text: 'Hello' } })
  await change(zoe, { status: 'open', owner: { kind: 'nobody' } })
  await say(ann)
  expect((await read(zoe)).owner).toEqual({ kind: 'member', id: ann.userId })
  const { version } = await read(zoe)
  await say(ann)
  // The owner is the same: nobody has to look again before they assign it.
  expect((await ann.call('PATCH', pathOf(zoe), { owner: { kind: 'nobody' }, version })).status).toBe(200)
  await say(ann)
  await say(bob)
  expect((await read(zoe)).owner).toEqual({ kind: 'member', id: bob.userId })
  expect((await ann.call('PATCH', pathOf(zoe), { owner: { kind: 'nobody' }, version })).status).toBe(409)
  const both = await ann.call('PATCH', pathOf(zoe), { status: 'closed', owner: { kind: 'member', id: ann.userId } })
  expect(both.body.fields).toHaveProperty('owner')
  await change(zoe, { status: 'closed' })
  expect(await read(zoe)).toMatchObject({ status: 'closed', owner: { kind: 'nobody' } })
  const [line] = (await threadOf(zoe)).slice(-1)
  expect(line).toMatchObject({ content: { activity: { kind: 'closed' } } })
  // A member takes it, although nobody has written.
  await change(zoe, { owner: { kind: 'member' } }, bob)
  await change(zoe, { status: 'open' })
  expect((await read(zoe)).owner).toEqual({ kind: 'member', id: bob.userId })
  await change(zoe, { status: 'closed' })
})

test('a conversation is opened by its contact: the latest one, or a new one from the default number', async () => {
  const { scope, services } = parley
  const open = (contactId: string) => ann.call('POST', list, { contactId })
  expect((await open(asha.contact.id)).body.id).toBe(asha.id)
  const person = { phone: '+919812349999', waUserId: undefined, name: 'Never Wrote', username: undefined }
  const contactId = (await services.contacts.ensure(scope, [person]))(person)
  const [first, second] = await Promise.all([open(contactId), open(contactId)])
  expect(first.status).toBe(200)
  expect(second.body.id).toBe(first.body.id)
  expect(first.body).toMatchObject({ numberId: parley.number.id, contact: { name: 'Never Wrote' } })
  expect(await names('')).not.toContain('Never Wrote')
  const refused = await ann.call('POST', `${list}/${first.body.id}/messages`, { content: { type: 'text', text: 'Hi' } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'window_closed' } })
})

test('a member who writes into a closed conversation opens it again, a snoozed one stays put aside', async () => {
  const says = (text: string) =>
    ann.call('POST', `${pathOf(asha)}/messages`, { content: { type: 'text', text } }).then(({ status }) => status)
  await change(asha, { status: 'closed' })
  expect(await says('One more thing')).toBe(201)
  expect(await read(asha)).toMatchObject({ status: 'open', owner: { kind: 'member', id: ann.userId } })
  await change(asha, { status: 'snoozed', snoozedUntil: new Date(Date.now() + 3_600_000).toISOString() })
  expect(await says('And another')).toBe(201)
  expect((await read(asha)).status).toBe('snoozed')
  await change(asha, { status: 'open' })
})
