import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { botId, key, newId, newPhone, type Parley, text, withActions } from './automation-action-fixtures.ts'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'

let parley: Parley
const { actions, newConversation } = withActions((started) => {
  parley = started
})

test('a bot that hands over leaves a conversation that waits for a person, and may go on under the new epoch', async () => {
  const conversation = await newConversation()
  const { body } = await actions({
    conversationId: conversation.id,
    actions: [
      { key: key(), type: 'claim', botId },
      { key: key(), ...text('A colleague will answer.') },
      { key: key(), type: 'assign', to: { kind: 'queue' } },
      { key: key(), type: 'add_tag', tag: 'handed over' },
    ],
  })
  expect(body.facts).toMatchObject({ epoch: 2, snapshot: { conversation: { owner: { kind: 'nobody' } } } })
  expect(await parley.services.conversations.read(parley.scope, conversation.id)).toHaveProperty('waitingSince')
  const release = { key: key(), type: 'release', resolved: true }
  const other = await newConversation()
  await actions({
    conversationId: other.id,
    actions: [{ key: key(), type: 'claim', botId }, { key: key(), ...text('Bye') }, release],
  })
  expect(await parley.signIn().ask('GET', pathOf(other))).toMatchObject({ unreadCount: 0, owner: { kind: 'nobody' } })
})

test('a message that comes while a bot sends its last answer stays unread, and its customer waits', async () => {
  const owner = parley.signIn()
  const phone = newPhone()
  const { write, threadOf } = withChats(parley, owner)
  const talk = await write(phone, 'Kiran', 'Hi')
  const [first] = await threadOf(talk)
  await write(phone, 'Kiran', 'My parcel is broken')
  const answerTo = (upTo: string | undefined) =>
    actions({
      conversationId: talk.id,
      actions: [
        { key: key(), type: 'claim', botId },
        { key: key(), ...text('Welcome') },
        { key: key(), type: 'release', resolved: true, completed: true, ...(upTo && { upTo }) },
      ],
    })
  await answerTo(first.id)
  const shown = await owner.ask('GET', pathOf(talk))
  expect(shown).toMatchObject({ unreadCount: 1, waitingSince: expect.any(String), owner: { kind: 'nobody' } })
  // They wait for a person: the bot's answer, which leaves later, does not end that.
  const answers = parley.database.connection.collection('answers')
  const ofTalk = { ...parley.inWorkspace, conversationId: new Types.ObjectId(talk.id) }
  await eventually(async () =>
    expect(await answers.findOne({ ...ofTalk, open: true })).toMatchObject({ forPerson: true }),
  )
  // A message that is gone has been read, with all before it.
  await answerTo(newId())
  expect(await owner.ask('GET', pathOf(talk))).toMatchObject({ unreadCount: 0 })
})

test('a bot that does not know whether it has a conversation gives up its own alone', async () => {
  const release = () => ({ key: key(), type: 'release', attention: true, ifOwn: true })
  const shown = (id: string) => parley.signIn().ask('GET', pathOf({ id }))
  const [own, unclaimed] = [await newConversation(), await newConversation()]
  await actions({ conversationId: own.id, actions: [{ key: key(), type: 'claim', botId }] })
  const other = { kind: 'bot', id: newId(), runId: newId() }
  const ofOther = await actions({ conversationId: own.id, by: other, actions: [release()] })
  expect(ofOther.body.results).toMatchObject([{ outcome: 'done' }])
  expect(await shown(own.id)).toMatchObject({ owner: { kind: 'bot' } })
  await actions({ conversationId: unclaimed.id, actions: [release()] })
  const untouched = await parley.services.conversations.read(parley.scope, unclaimed.id)
  expect(untouched).toMatchObject({ owner: { kind: 'nobody' }, ownerEpoch: 0 })
  expect(untouched).not.toHaveProperty('forPersonSince')
  await actions({ conversationId: own.id, actions: [release()] })
  expect(await shown(own.id)).toMatchObject({ owner: { kind: 'nobody' }, waitingSince: expect.any(String) })
})

test('what bots pass on is shown to people, although a bot’s answer came after it; what waits already stays', async () => {
  const owner = parley.signIn()
  const hidden = await newConversation()
  const seen = await newConversation()
  await actions({
    conversationId: hidden.id,
    actions: [
      { key: key(), type: 'claim', botId },
      { key: key(), ...text('Welcome') },
      { key: key(), type: 'release', resolved: true },
    ],
  })
  await owner.ask('PATCH', pathOf(seen), { read: true })
  const { waitingSince } = await owner.ask('GET', pathOf(seen))
  const read = () =>
    parley.signInProcess('automation-worker').call('POST', '/internal/events/read', {
      upTo: 0,
      passed: [hidden.id, seen.id],
    })
  expect((await read()).status).toBeLessThan(300)
  const shown = await owner.ask('GET', pathOf(hidden))
  expect(shown).toMatchObject({ unreadCount: 1, waitingSince: expect.any(String) })
  await read()
  expect(await owner.ask('GET', pathOf(hidden))).toEqual(shown)
  expect(await owner.ask('GET', pathOf(seen))).toMatchObject({ unreadCount: 0, waitingSince })
})

test('a customer whom a bot has handed over stays unread and waits, whatever other bots say, until a person answers', async () => {
  const owner = parley.signIn()
  const phone = newPhone()
  const { write, threadOf } = withChats(parley, owner)
  const talk = await write(phone, 'Kiran', 'My parcel is broken')
  const answer = async (release: object) =>
    actions({
      conversationId: talk.id,
      actions: [
        { key: key(), type: 'claim', botId },
        { key: key(), ...text('Welcome') },
        { key: key(), type: 'release', ...release },
      ],
    })
  await answer({ attention: true })
  const { waitingSince } = await owner.ask('GET', pathOf(talk))
  expect(waitingSince).toEqual(expect.any(String))
  await write(phone, 'Kiran', 'Hi')
  const upTo = (await threadOf(talk)).findLast(({ direction }: { direction: string }) => direction === 'inbound')?.id
  await answer({ resolved: true, completed: true, upTo })
  const stays = { unreadCount: 2, waitingSince, owner: { kind: 'nobody' } }
  expect(await owner.ask('GET', pathOf(talk))).toMatchObject(stays)
  await owner.ask('POST', `${pathOf(talk)}/messages`, { content: { type: 'text', text: 'We send another one.' } })
  const answered = await owner.ask('GET', pathOf(talk))
  expect(answered).not.toHaveProperty('waitingSince')
  // It is back at the bots once it was closed.
  await owner.ask('PATCH', pathOf(talk), { status: 'closed' })
  await write(phone, 'Kiran', 'Hi')
  const last = (await threadOf(talk)).findLast(({ direction }: { direction: string }) => direction === 'inbound')?.id
  await answer({ resolved: true, completed: true, upTo: last })
  const after = await owner.ask('GET', pathOf(talk))
  expect(after).toMatchObject({ unreadCount: 0 })
  expect(after).not.toHaveProperty('waitingSince')
})

test('who was handed over and is taken by nobody is told of after ten minutes of opening hours, once', async () => {
  const owner = parley.signIn()
  const [alone, taken, answered] = [await newConversation(), await newConversation(), await newConversation()]
  const handOver = (id: string) =>
    actions({
      conversationId: id,
      actions: [
        { key: key(), type: 'claim', botId },
        { key: key(), ...text('One moment.') },
        { key: key(), type: 'release', attention: true },
      ],
    })
  const handOvers = parley.database.connection.collection('handOvers')
  const all = [alone, taken, answered].map(({ id }) => new Types.ObjectId(id))
  const mine = { ...parley.inWorkspace, conversationId: { $in: all } }
  for (const { id } of [alone, taken, answered]) await handOver(id)
  const watched = await eventually(async () => {
    const found = await handOvers.find(mine).toArray()
    expect(found).toHaveLength(3)
    return found
  })
  for (const { dueAt } of watched) expect(dueAt.getTime() - Date.now()).toBeGreaterThan(500_000)
  await owner.ask('PATCH', pathOf(taken), { owner: { kind: 'member' } })
  await owner.ask('PATCH', pathOf(answered), { status: 'closed' })
  await handOvers.updateMany(mine, { $set: { dueAt: new Date() } })
  const told = async () =>
    (await owner.ask('GET', '/api/notifications')).items.filter(({ object }: { object: { id: string } }) =>
      [alone.id, taken.id, answered.id].includes(object.id),
    )
  await eventually(async () => expect(await handOvers.countDocuments(mine)).toBe(0))
  expect(await told()).toMatchObject([
    {
      category: 'team',
      title: 'Kiran waits, and nobody has taken over',
      object: { kind: 'conversation', id: alone.id },
    },
  ])
})

test('what nobody answers is for people also while a bot has the conversation, and after it', async () => {
  const owner = parley.signIn()
  const talk = await newConversation()
  const act = (...all: object[]) =>
    actions({ conversationId: talk.id, actions: all.map((action) => ({ key: key(), ...action })) })
  await act({ type: 'claim', botId }, text('Welcome'))
  expect(await owner.ask('GET', pathOf(talk))).not.toHaveProperty('waitingSince')
  const passed = { upTo: 0, passed: [talk.id] }
  await parley.signInProcess('automation-worker').call('POST', '/internal/events/read', passed)
  const waits = { unreadCount: 1, waitingSince: expect.any(String) }
  expect(await owner.ask('GET', pathOf(talk))).toMatchObject({ ...waits, owner: { kind: 'bot' } })
  // A session that is not going to listen is told, and leaves it to people.
  const { body } = await act(text('Anything else?'))
  expect(body.facts.snapshot.conversation).toMatchObject({ owner: { kind: 'bot' }, forPerson: true })
  await act({ type: 'release', resolved: true })
  expect(await owner.ask('GET', pathOf(talk))).toMatchObject({ ...waits, owner: { kind: 'nobody' } })
})

test('what waited before a session began is for people, although no bot was there to pass it on', async () => {
  const owner = parley.signIn()
  const records = parley.database.connection.collection('conversations')
  const session = async (id: string, since: Date) => {
    const acts = [
      { type: 'claim', botId, since: since.toISOString() },
      text('Welcome'),
      { type: 'release', resolved: true },
    ]
    const { body } = await actions({ conversationId: id, actions: acts.map((action) => ({ key: key(), ...action })) })
    expect(body.results).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }, { outcome: 'done' }])
    return owner.ask('GET', pathOf({ id }))
  }
  const [earlier, own] = [await newConversation(), await newConversation()]
  const hourAgo = new Date(Date.now() - 3_600_000)
  await records.updateOne({ _id: new Types.ObjectId(earlier.id) }, { $set: { waitingSince: hourAgo } })
  const waits = { unreadCount: 1, waitingSince: hourAgo.toISOString(), owner: { kind: 'nobody' } }
  expect(await session(earlier.id, new Date())).toMatchObject(waits)
  expect(await session(own.id, new Date(String(own.waitingSince)))).toMatchObject({ unreadCount: 0 })
})

test('what a program sends answers nobody who waits for a person, and its templates nobody at all', async () => {
  const owner = parley.signIn()
  const template = { type: 'template' as const, templateId: newId(), name: 'shipped', language: 'en', components: [] }
  const notice = { ...template, text: 'Your parcel is on its way.' }
  const reply = { type: 'text' as const, text: 'It arrives today.' }
  const send = (id: string, content: typeof notice | typeof reply) =>
    parley.services.outgoing.send(parley.scope, id, { content, cause: { kind: 'api', id: newId() } })
  const [handedOver, asks] = [await newConversation(), await newConversation()]
  await actions({
    conversationId: handedOver.id,
    actions: [
      { key: key(), type: 'claim', botId },
      { key: key(), type: 'release', attention: true },
    ],
  })
  const { waitingSince } = await owner.ask('GET', pathOf(handedOver))
  for (const content of [notice, reply]) await send(handedOver.id, content)
  expect(await owner.ask('GET', pathOf(handedOver))).toMatchObject({ waitingSince })
  const { forPersonSince } = await parley.services.conversations.read(parley.scope, handedOver.id)
  expect(forPersonSince).toBeInstanceOf(Date)
  await send(asks.id, notice)
  expect(await owner.ask('GET', pathOf(asks))).toHaveProperty('waitingSince')
  await send(asks.id, reply)
  expect(await owner.ask('GET', pathOf(asks))).not.toHaveProperty('waitingSince')
})
