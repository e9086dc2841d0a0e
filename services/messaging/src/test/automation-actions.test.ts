import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { botId, by, key, newId, newPhone, type Parley, text, withActions } from './automation-action-fixtures.ts'
import { approvedTemplate, eventually } from './campaign-fixtures.ts'
import { pathOf } from './chat-fixtures.ts'

let parley: Parley
const { actions, newConversation, sentIn } = withActions((started) => {
  parley = started
})

test('a bot claims, answers, tags and closes in one call; the events name it and what led to it', async () => {
  const conversation = await newConversation()
  const chain = [newId()]
  const { status, body } = await actions({
    conversationId: conversation.id,
    chain,
    actions: [
      { key: key(), type: 'claim', botId },
      { key: key(), ...text('Welcome') },
      {
        key: key(),
        type: 'send',
        content: { type: 'interactive', text: 'Sure?', options: [{ id: 'run.1.yes', title: 'Yes' }] },
      },
      { key: key(), type: 'add_tag', tag: 'from bot' },
      { key: key(), type: 'set_attribute', attribute: 'plan', value: 'gold' },
      { key: key(), type: 'note', text: 'Asked for a plan' },
    ],
  })
  expect([status, body.results.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
    200,
    Array(6).fill('done'),
  ])
  expect(body.facts).toMatchObject({
    epoch: 1,
    heldByPerson: false,
    snapshot: {
      contact: { tags: ['from bot'], attributes: { plan: 'gold' } },
      conversation: { owner: { kind: 'bot', id: botId }, epoch: 1 },
    },
  })
  await eventually(async () => {
    const left = await sentIn(conversation)
    expect(left).toMatchObject([{ content: { text: 'Welcome' } }, { content: { text: 'Sure?' } }])
    for (const { status: state } of left) expect(['sent', 'delivered', 'read']).toContain(state)
  })
  const close = { conversationId: conversation.id, epoch: 1, chain, actions: [{ key: key(), type: 'close' }] }
  expect((await actions(close)).body.facts).toMatchObject({
    epoch: 2,
    snapshot: { conversation: { status: 'closed', owner: { kind: 'nobody' } } },
  })
  const events = parley.database.connection.collection('events')
  const caused = await events.find({ ...parley.inWorkspace, 'by.kind': 'bot' }).toArray()
  expect(new Set(caused.map(({ type }) => type))).toEqual(
    new Set(['conversation.changed', 'message.changed', 'contact.changed']),
  )
  for (const event of caused) expect(event).toMatchObject({ by, chain })
})

test('tags are the same whatever their capitals, as flows and conditions have them', async () => {
  const conversation = await newConversation()
  const tag = async (type: 'add_tag' | 'remove_tag', name: string) =>
    (await actions({ conversationId: conversation.id, actions: [{ key: key(), type, tag: name }] })).body.facts.snapshot
      .contact.tags
  expect(await tag('add_tag', 'VIP')).toEqual(['VIP'])
  expect(await tag('add_tag', 'vip')).toEqual(['VIP'])
  expect(
    await parley.database.connection.collection('tags').countDocuments({ ...parley.inWorkspace, name: 'vip' }),
  ).toBe(0)
  expect(await tag('remove_tag', 'vIp')).toEqual([])
})

test('however often and at once a call is repeated, each key is done once', async () => {
  const conversation = await newConversation()
  const request = {
    conversationId: conversation.id,
    actions: [
      { key: key(), type: 'claim', botId },
      { key: key(), ...text('only once') },
      { key: key(), type: 'add_tag', tag: 'x' },
    ],
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => actions(request)))
  // A call that conflicted again and again is asked to retry.
  const done = answers.filter(({ status }) => status === 200)
  expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 503)).toBe(true)
  expect(new Set(done.map(({ body }) => JSON.stringify(body.results))).size).toBe(1)
  expect(done[0]?.body.facts.epoch).toBe(1)
  expect((await sentIn(conversation)).length).toBe(1)
  // The answer was lost with its caller; the same keys later still answer the same.
  const again = await actions(request)
  expect([again.status, again.body.results]).toEqual([200, done[0]?.body.results])
  const [claim, , tag] = request.actions
  const other = await actions({ ...request, actions: [claim, { ...tag, tag: 'y' }] })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await actions({ ...request, actions: [claim, claim] })).status).toBe(400)
})

test('what is refused ends the call there, and a repetition is refused alike', async () => {
  const conversation = await newConversation()
  const request = {
    conversationId: conversation.id,
    actions: [
      { key: key(), type: 'add_tag', tag: 'before' },
      { key: key(), type: 'send_template', templateId: newId(), variables: {} },
      { key: key(), type: 'add_tag', tag: 'after' },
    ],
  }
  for (const { body } of [await actions(request), await actions(request)]) {
    expect(body.results).toMatchObject([{ outcome: 'done' }, { outcome: 'refused', code: 'not_found' }])
    expect(body.facts.snapshot.contact.tags).toEqual(['before'])
  }
  const refusedWith = async (action: object, code: string) => {
    const { body } = await actions({ conversationId: conversation.id, actions: [{ key: key(), ...action }] })
    expect(body.results, code).toMatchObject([{ outcome: 'refused', code }])
  }
  await refusedWith({ type: 'send', content: { type: 'image', mediaId: newId() } }, 'validation_failed')
  await parley.members()
  await refusedWith({ type: 'assign', to: { kind: 'member', memberId: newId() } }, 'validation_failed')
  const ann = parley.signIn()
  await ann.ask('POST', '/api/contact-attributes', { label: 'Born', name: 'born', type: 'date', choices: [] })
  await refusedWith({ type: 'set_attribute', attribute: 'born', value: 'some day' }, 'validation_failed')
  const templateId = await approvedTemplate(parley)
  await ann.ask('POST', `/api/contacts/${conversation.contact.id}/consent`, {
    category: 'marketing',
    value: 'out',
    note: 'said so',
  })
  await refusedWith({ type: 'send_template', templateId, variables: { 1: 'Kiran' } }, 'opted_out')
  const records = parley.database.connection.collection('conversations')
  await records.updateOne({ _id: new Types.ObjectId(conversation.id) }, { $set: { windowExpiresAt: new Date(0) } })
  await refusedWith(text('too late'), 'window_closed')
  expect(await sentIn(conversation)).toEqual([])
})

test('what a member does refuses everything that the bot does after it', async () => {
  const conversation = await newConversation()
  const ann = parley.signIn()
  const claim = () => ({ conversationId: conversation.id, actions: [{ key: key(), type: 'claim', botId }] })
  const { facts } = (await actions(claim())).body
  const bot = async () => {
    let sent = 0
    for (let index = 0; index < 8; index += 1) {
      const { body } = await actions({
        conversationId: conversation.id,
        epoch: facts.epoch,
        actions: [{ key: key(), ...text(`bot ${index}`) }],
      })
      if (body.results?.[0]?.outcome === 'done') sent += 1
      else if (body.results) expect(body.results).toMatchObject([{ outcome: 'refused', code: 'conversation_taken' }])
    }
    return sent
  }
  const [sent] = await Promise.all([bot(), ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member' } })])
  expect(
    (await sentIn(conversation)).filter(({ cause }: { cause: { kind: string } }) => cause.kind === 'bot').length,
  ).toBe(sent)
  const late = await actions({
    conversationId: conversation.id,
    epoch: facts.epoch,
    actions: [{ key: key(), ...text('late') }],
  })
  expect(late.body).toMatchObject({
    results: [{ outcome: 'refused', code: 'conversation_taken' }],
    facts: { heldByPerson: true, epoch: facts.epoch + 1 },
  })
  expect((await actions(claim())).body.results).toMatchObject([{ outcome: 'refused', code: 'conversation_taken' }])
  await ann.ask('PATCH', pathOf(conversation), { status: 'closed' })
  expect((await actions(claim())).body.results).toMatchObject([{ outcome: 'done' }])
})

test('nobody acts in another workspace, and an empty list asks for the facts', async () => {
  const conversation = await newConversation()
  const request = { conversationId: conversation.id, actions: [] }
  const elsewhere = parley.signInProcess('automation-worker', 'e'.repeat(24))
  for (const { status } of [await actions(request, elsewhere), await actions({ ...request, conversationId: newId() })])
    expect(status).toBe(404)
  expect((await parley.signIn().call('POST', '/internal/actions', { by, ...request })).status).toBe(401)
  expect((await actions(request, parley.signInProcess('bff'))).status).toBe(403)
  expect((await actions(request, parley.signInProcess('automation', null))).status).toBe(403)
  expect((await actions(request)).body).toMatchObject({
    results: [],
    facts: { epoch: 0, heldByPerson: false, snapshot: { contact: { id: conversation.contact.id } } },
  })
})

test('a contact with whom nothing was said is tagged without a conversation; a template begins one, once', async () => {
  const owner = parley.signIn()
  const workflow = { kind: 'workflow', id: newId(), runId: newId() }
  const { id: contactId } = await owner.ask('POST', '/api/contacts', {
    name: 'Mina',
    phone: `+${newPhone()}`,
    tags: [],
    attributes: {},
  })
  const total = async () => (await owner.ask('GET', `/api/conversations?q=Mina`)).total
  const tagged = await actions({
    by: workflow,
    contactId,
    actions: [{ key: key(), type: 'add_tag', tag: 'from workflow' }],
  })
  expect(tagged.body).toMatchObject({
    results: [{ outcome: 'done' }],
    facts: { epoch: 0, heldByPerson: false, snapshot: { contact: { tags: ['from workflow'] } } },
  })
  expect([tagged.body.facts.snapshot.conversation, await total()]).toEqual([undefined, 0])

  const templateId = await approvedTemplate(parley, {
    category: 'utility',
    body: 'Welcome to the shop. Your order of tea is being packed now.',
    examples: {},
  })
  const send = { key: key(), type: 'send_template', templateId, variables: {} }
  const [first, again] = await Promise.all([
    actions({ by: workflow, contactId, actions: [send] }),
    actions({ by: workflow, contactId, actions: [send] }),
  ])
  expect(first.body.results).toMatchObject([{ outcome: 'done' }])
  expect(again.body.results).toEqual(first.body.results)
  expect(first.body.facts.snapshot.conversation).toMatchObject({ owner: { kind: 'nobody' }, epoch: 0 })
  expect(await total()).toBe(1)
  const free = await actions({ by: workflow, contactId, actions: [{ key: key(), ...text('Hello') }] })
  expect(free.body.results).toMatchObject([{ outcome: 'refused', code: 'window_closed' }])
})

test('a call names a conversation or a contact: neither, both, or one of another workspace is refused', async () => {
  const conversation = await newConversation()
  const add = [{ key: key(), type: 'add_tag', tag: 'x' }]
  expect((await actions({ actions: add })).status).toBe(400)
  expect((await actions({ conversationId: conversation.id, contactId: newId(), actions: add })).status).toBe(400)
  expect((await actions({ contactId: newId(), actions: add })).status).toBe(404)
})
