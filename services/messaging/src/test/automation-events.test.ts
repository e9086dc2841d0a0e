import type { RecordedEvent } from '@parley/contracts/platform/events'
import { eventLog } from '@parley/service-kit/data/event-log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { withImports } from './import-fixtures.ts'
import { listen } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'
import { withBots } from './take-over.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

let routingVersion = 0
const tell = (active: boolean) => {
  routingVersion += 1
  return parley
    .signInProcess('automation')
    .ask('PUT', '/internal/automation-state', { active, numberIds: [], routingVersion })
}
/** Reads the events of a contact or conversation that flows are given, in order. */
const eventsOf = async (id: string): Promise<RecordedEvent[]> => {
  const worker = parley.signInProcess('automation-worker')
  const items: RecordedEvent[] = []
  for (let after = 0; ; ) {
    const page = await worker.ask('GET', `/internal/events?after=${after}&limit=50`)
    items.push(...page.items)
    if (page.upTo === page.head) break
    after = page.upTo
  }
  return items.filter(({ contactId, conversationId }) => [contactId, conversationId].includes(id))
}
const did = (events: readonly RecordedEvent[]) =>
  events.flatMap(({ data }) => ('became' in data && data.became ? [data.became] : []))
const recorded = () => eventLog(parley.database.connection).events.find(parley.inWorkspace).toArray()

test('while no flow is active events say nothing for flows', async () => {
  const ann = parley.signIn()
  const conversation = await withChats(parley, ann).write('919812340081', 'Gita', 'quiet words')
  await ann.ask('PATCH', pathOf(conversation), { status: 'closed' })
  await ann.ask('POST', `/api/contacts/${conversation.contact.id}/tags`, { tag: 'quiet' })
  expect(await eventsOf(conversation.id)).toEqual([])
  const text = JSON.stringify(await recorded())
  expect(text).toContain(conversation.id)
  expect(text).not.toMatch(/"(said|snapshot)"|"became":\{"(opened|closed|tags|created)/)
})

test('a message says what was said, with contact and conversation as they are; browsers are given neither', async () => {
  await tell(true)
  const ann = parley.signIn()
  const stream = await listen(ann)
  const { receive, write } = withChats(parley, ann)
  const body = `please ${'x'.repeat(400)}`
  const conversation = await write('919812340082', 'Hema', body)
  await receive('919812340082', 'Hema', {
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: 'run.1.yes', title: 'Yes' } },
  })
  const spoken = await eventually(async () => {
    const found = (await eventsOf(conversation.id)).filter(({ type }) => type === 'message.changed')
    expect(found).toHaveLength(2)
    return found
  })
  expect(spoken.map(({ data }) => 'said' in data && data.said)).toEqual([
    { type: 'text', text: body.slice(0, 300), cut: true, opens: true },
    { type: 'interactive', text: 'Yes', choice: 'run.1.yes' },
  ])
  expect(spoken[0]).toMatchObject({
    by: { kind: 'contact' },
    snapshot: {
      contact: { id: conversation.contact.id, name: 'Hema', phone: '+919812340082' },
      conversation: { id: conversation.id, status: 'open', owner: { kind: 'nobody' }, epoch: 0, personAt: null },
    },
  })
  expect(did(await eventsOf(conversation.contact.id))).toEqual(
    expect.arrayContaining([{ created: true }, { opened: true }]),
  )
  await eventually(() =>
    expect(
      stream.entries().filter(({ data }) => JSON.stringify(data).includes(conversation.id)).length,
    ).toBeGreaterThan(3),
  )
  for (const { data } of stream.entries()) {
    expect(data).not.toHaveProperty('snapshot')
    expect(data).not.toHaveProperty('data.said')
  }
})

test('consent, tags, fields, closing and a member’s reply are told with what they did', async () => {
  await tell(true)
  const ann = parley.signIn()
  const { write } = withChats(parley, ann)
  const conversation = await write('919812340083', 'Indu', 'Hello')
  const { id } = conversation.contact
  await ann.ask('POST', `/api/contacts/${id}/tags`, { tag: 'vip' })
  const { version } = await ann.ask('GET', `/api/contacts/${id}`)
  await ann.ask('PATCH', `/api/contacts/${id}`, { version, attributes: { plan: 'gold' }, tags: [] })
  await ann.ask('POST', `${pathOf(conversation)}/messages`, { content: { type: 'text', text: 'Hi Indu' } })
  await write('919812340083', 'Indu', 'STOP')
  await ann.ask('PATCH', pathOf(conversation), { status: 'closed' })
  await eventually(async () => {
    const events = await eventsOf(id)
    expect(did(events)).toEqual(
      expect.arrayContaining([
        { tagsAdded: ['vip'] },
        { tagsRemoved: ['vip'], fields: [{ name: 'plan', before: null, after: 'gold' }] },
        { consent: 'out' },
        { owned: { epoch: 1, reason: 'replied' } },
        { closed: true, owned: { epoch: 2, reason: 'closed', openedAt: expect.any(String) } },
      ]),
    )
    const stop = events.find(({ data }) => 'said' in data && data.said?.text === 'STOP')
    expect(stop?.data).toMatchObject({ said: { command: 'opt_out' } })
  })
  // A member's own message starts no flow.
  expect((await eventsOf(id)).filter(({ data }) => 'direction' in data && data.direction === 'outbound')).toEqual([])
  const { events } = eventLog(parley.database.connection)
  const [ours] = await events
    .find({
      ...parley.inWorkspace,
      conversationId: conversation.id,
      'data.direction': 'outbound',
      'data.created': true,
    })
    .toArray()
  expect(ours).toMatchObject({ by: { kind: 'user', id: ann.userId } })
})

test('an erasure is told, and nothing of the person is left in what flows are given', async () => {
  await tell(true)
  const ann = parley.signIn()
  const conversation = await withChats(parley, ann).write('919812340084', 'Jaya', 'my secret address')
  const { id } = conversation.contact
  await ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member' } })
  await eventually(async () => expect(JSON.stringify(await eventsOf(conversation.id))).toContain('secret'))
  await ann.ask('POST', `/api/contacts/${id}/erase`, { name: conversation.contact.name })
  await eventually(async () => {
    const all = await recorded()
    expect(all).toContainEqual(
      expect.objectContaining({
        type: 'contact.erased',
        data: { contactId: id, conversationIds: [conversation.id] },
        seq: expect.any(Number),
      }),
    )
    const { events } = eventLog(parley.database.connection)
    const about = { ...parley.inWorkspace, $or: [{ contactId: id }, { conversationId: conversation.id }] }
    expect(
      await events.countDocuments({
        ...about,
        $and: [{ $or: [{ snapshot: { $exists: true } }, { 'data.said': { $exists: true } }] }],
      }),
    ).toBe(0)
    expect(JSON.stringify(all)).not.toMatch(/secret address|Jaya|919812340084/)
  })
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['contact.erased'])
})

test('a message of a bot that the gate keeps back, or a member takes back, is told with its conversation', async () => {
  await tell(true)
  const ann = parley.signIn()
  const bots = withBots(parley)
  const withQueued = async () => {
    const conversation = await bots.customer()
    const epoch = (await bots.claim(conversation)) ?? 0
    await bots.holdTurn(conversation, 600_000)
    return { conversation, sent: await bots.say(conversation, epoch) }
  }
  const kept = await withQueued()
  await ann.ask('POST', `${pathOf(kept.conversation)}/messages`, { content: { type: 'text', text: 'From Ann' } })
  await bots.endHold(kept.conversation, kept.sent.id)
  const back = await withQueued()
  await ann.ask('POST', `${pathOf(back.conversation)}/messages/${back.sent.id}/cancel`)
  const expected = [
    { ...kept, data: { status: 'failed', cause: 'bot' } },
    { ...back, data: { status: 'queued', cause: 'bot', takenBack: true } },
  ]
  for (const { conversation, sent, data } of expected)
    await eventually(async () =>
      expect(await eventsOf(conversation.id)).toContainEqual(
        expect.objectContaining({
          data: expect.objectContaining({ messageId: sent.id, ...data }),
          snapshot: expect.objectContaining({ conversation: expect.objectContaining({ id: conversation.id }) }),
        }),
      ),
    )
  bots.close()
})

test('a change of very many starts flows: of named contacts always, of a filter and of a file where a member says so', async () => {
  await tell(true)
  const ann = parley.signIn()
  const many = Array.from({ length: 60 }, (_, index) => `Bulk ${index},+9198765${String(10_000 + index)}`)
  const file = ['Name,Phone', ...many].join('\n')
  const bulkEvents = async (kind: 'created' | 'tagsAdded', tag?: string) =>
    (await recorded()).filter((event) => {
      const { type, data } = event as object as RecordedEvent
      const did = type === 'contact.bulk_changed' ? data.did : undefined
      return kind === 'created' ? did?.created : did?.tagsAdded?.includes(tag ?? '')
    })

  const { upload, until } = withImports(parley, ann)
  const importFile = async (content: string, query = '') => {
    const { id } = (await upload(content)).body
    await ann.ask('POST', `/api/imports/${id}/check`)
    await until(id, 'checked')
    await ann.ask('POST', `/api/imports/${id}/run${query}`)
    return until(id, 'done')
  }
  const quiet = await importFile(file)
  expect(quiet).toMatchObject({ state: 'done', counts: { created: 60 } })
  expect(await bulkEvents('created')).toEqual([])
  const { items } = await ann.ask('GET', '/api/contacts?q=Bulk&limit=100')
  const ids = items.map(({ id }: { id: string }) => id)
  expect(ids).toHaveLength(60)

  await ann.ask('POST', '/api/contacts/bulk', { ids, action: { kind: 'add_tag', tag: 'named' } })
  const named = await bulkEvents('tagsAdded', 'named')
  expect(new Set(named.map(({ contactId }) => contactId))).toEqual(new Set(ids))
  expect(named[0]).toMatchObject({ by: { kind: 'user', id: ann.userId }, snapshot: { contact: { tags: ['named'] } } })

  const change = async (tag: string, how: object) => {
    const selection = { filter: { tags: ['named'] } }
    const { id } = await ann.ask('POST', '/api/contact-jobs/changes', {
      selection,
      action: { kind: 'add_tags', tags: [tag] },
      ...how,
    })
    await eventually(async () => {
      const { items: jobs } = await ann.ask('GET', '/api/contact-jobs')
      expect(jobs).toContainEqual(expect.objectContaining({ id, state: 'done', changed: 60 }))
    })
    return bulkEvents('tagsAdded', tag)
  }
  expect(await change('unasked', {})).toEqual([])
  expect(await change('asked', { startWorkflows: true })).toHaveLength(60)

  const other = file.replaceAll('Bulk', 'Other').replaceAll('+9198765', '+9198764')
  await importFile(other, '?startWorkflows=true')
  expect(await bulkEvents('created')).toHaveLength(60)
  await tell(false)
  await ann.ask('POST', '/api/contacts/bulk', { ids, action: { kind: 'add_tag', tag: 'nobody waits' } })
  expect(await bulkEvents('tagsAdded', 'nobody waits')).toEqual([])
})

test('what flows filter on says whose a conversation is: a bot’s, a workflow’s, a member’s', async () => {
  await tell(true)
  const ann = parley.signIn()
  const { write } = withChats(parley, ann)
  const owners = async (kind: 'bot' | 'workflow', phone: string) => {
    const conversation = await write(phone, 'Lata', 'Hello')
    const id = conversation.contact.id
    const claim = { key: `run.${kind}.claim`, type: 'claim', botId: id }
    const { facts } = await parley.signInProcess('automation-worker').ask('POST', '/internal/actions', {
      conversationId: conversation.id,
      by: { kind, id, runId: id },
      actions: [claim],
    })
    const told = await eventually(async () => {
      const found = (await eventsOf(conversation.id)).find(({ by }) => by.kind === kind)
      expect(found).toBeDefined()
      return found?.snapshot?.conversation?.owner.kind
    })
    return [told, facts.snapshot.conversation.owner.kind]
  }
  expect(await owners('bot', '919812340091')).toEqual(['bot', 'bot'])
  expect(await owners('workflow', '919812340092')).toEqual(['workflow', 'bot'])
})
