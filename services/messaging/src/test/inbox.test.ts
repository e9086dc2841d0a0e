import type { Message } from '@parley/contracts/inbox/messages'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { type Inbox, list, pathOf, withInbox } from './inbox-fixtures.ts'

let parley: Inbox['parley']
let ann: Inbox['ann']
let bob: Inbox['bob']
let asha: Inbox['asha']
let zoe: Inbox['zoe']
let mohan: Inbox['mohan']
const { change, find, names, read, threadOf } = withInbox((inbox) => {
  ;({ parley, ann, bob, asha, zoe, mohan } = inbox)
})

test('a name is found by the beginnings of its words without accents, a number by any part', async () => {
  expect(await names('?q=zoe')).toEqual(['Zoë Šimić'])
  expect(await names('?q=SIM%20zo')).toEqual(['Zoë Šimić'])
  expect(await names('?q=oe')).toEqual([])
  expect(await names('?q=0090%200123')).toEqual(['Mohan'])
  expect((await names('?q=98123')).toSorted()).toEqual(['Asha Rao', 'Zoë Šimić'])
  expect(await names(`?q=${encodeURIComponent('👍')}`)).toEqual([])
  expect(await names(`?contact=${asha.contact.id}`)).toEqual(['Asha Rao'])
  expect(await names(`?number=${'f'.repeat(24)}`)).toEqual([])
})

test('pages follow each other without a gap, forwards and back', async () => {
  const all = await names('')
  expect(all).toHaveLength(3)
  const first = (await ann.call('GET', `${list}?limit=2`)).body
  expect(first).toMatchObject({ total: 3, previousCursor: null })
  const second = (await ann.call('GET', `${list}?limit=2&cursor=${first.nextCursor}`)).body
  expect([...first.items, ...second.items].map(({ contact }) => contact.name)).toEqual(all)
  const back = (await ann.call('GET', `${list}?limit=2&cursor=${second.previousCursor}`)).body
  expect(back.items).toEqual(first.items)
  expect((await ann.call('GET', `${list}?limit=2&show=open&cursor=${first.nextCursor}`)).status).toBe(400)
})

test('views show what they say, and the counters agree with them', async () => {
  await change(asha, { owner: { kind: 'member', id: ann.userId } })
  await change(mohan, { status: 'closed', read: true })
  expect(await names('?show=mine')).toEqual(['Asha Rao'])
  expect(await names('?show=mine', bob)).toEqual([])
  expect(await names(`?owner=${ann.userId}`, bob)).toEqual(['Asha Rao'])
  expect(await names('?show=unassigned')).toEqual(['Zoë Šimić'])
  expect(await names('?show=closed')).toEqual(['Mohan'])
  expect((await names('?show=unread')).toSorted()).toEqual(['Asha Rao', 'Zoë Šimić'])
  const { body: summary } = await ann.call('GET', `${list}/summary`)
  expect(summary).toEqual({
    total: 3,
    open: 2,
    unread: 3,
    views: { all: 3, mine: 1, mentions: 0, unassigned: 1, unread: 2, open: 2, snoozed: 0, closed: 1 },
  })
})

test('a list of a bot has what that bot has, in every view; of a member with the same id nothing', async () => {
  const bot = new Types.ObjectId().toHexString()
  // Bots take conversations by actions of their own.
  const { status, body } = await ann.call('PATCH', pathOf(zoe), { owner: { kind: 'bot', id: bot } })
  expect([status, body.code]).toEqual([400, 'validation_failed'])
  expect(JSON.stringify(body.fields)).toContain('POST /api/bots/:id/sessions')
  const set = (owner: object) =>
    parley.database.connection
      .collection('conversations')
      .updateOne({ _id: new Types.ObjectId(zoe.id) }, { $set: { owner } })
  await set({ kind: 'bot', id: bot })
  expect(await names(`?bot=${bot}`, bob)).toEqual(['Zoë Šimić'])
  expect(await names(`?bot=${bot}&show=open&sort=waiting&number=${zoe.numberId}`)).toEqual(['Zoë Šimić'])
  expect(await names(`?bot=${bot}&show=closed`)).toEqual([])
  expect(await names(`?owner=${bot}`)).toEqual([])
  expect(await names(`?bot=${ann.userId}`)).toEqual([])
  await set({ kind: 'workflow', id: bot })
  expect(await read(zoe)).toMatchObject({ owner: { kind: 'workflow', id: bot } })
  expect(await names(`?bot=${bot}`)).toEqual([])
  await change(zoe, { owner: { kind: 'nobody' } })
})

test('who waits longest comes first, and no longer waits once answered', async () => {
  // All have written within the same second, which is the platform's precision.
  const since = { $set: { waitingSince: new Date(Date.now() - 3_600_000) } }
  await parley.database.connection.collection('conversations').updateOne({ _id: new Types.ObjectId(asha.id) }, since)
  expect((await names('?sort=waiting'))[0]).toBe('Asha Rao')
  expect(await names('?sort=window')).toHaveLength(3)
  const sent = await ann.call('POST', `${pathOf(asha)}/messages`, { content: { type: 'text', text: 'Hello Asha' } })
  expect(sent.status).toBe(201)
  expect(await names('?sort=waiting')).not.toContain('Asha Rao')
})

test('the same client id twice is one message, also at the same moment', async () => {
  const message = { content: { type: 'text', text: 'Once' }, clientId: 'client-0001' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ann.call('POST', `${pathOf(zoe)}/messages`, message)),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1)
  const texts = (await threadOf(zoe)).filter(({ clientId }) => clientId === 'client-0001')
  expect(texts).toHaveLength(1)
  expect((await read(zoe)).history.messages).toBe(2)
})

test('read up to a message: what came after it stays unread', async () => {
  const [first] = await threadOf(asha)
  expect((await change(asha, { read: { upTo: first?.id } })).body.unreadCount).toBe(1)
  expect((await change(asha, { read: true })).body.unreadCount).toBe(0)
  const { body: again } = await change(asha, { read: true })
  const { body: unread } = await change(asha, { read: false })
  expect(unread.unreadCount).toBe(1)
  // A tick may have changed it, too.
  expect(unread.version).toBeGreaterThan(again.version)
  await change(asha, { read: true })
})

test('a thread is read around a message, and on from one', async () => {
  const all = await threadOf(asha)
  expect(all.map(({ content }) => content.type === 'text' && content.text)).toContain('Hello Asha')
  const [first, second] = all
  const around = (await ann.call('GET', `${pathOf(asha)}/messages?around=${second?.id}&limit=2`)).body
  expect(around.items.map(({ id }: Message) => id)).toEqual(all.slice(0, 3).map(({ id }) => id))
  expect(around).toMatchObject({ nextCursor: null, previousCursor: expect.any(String) })
  const newer = (await ann.call('GET', `${pathOf(asha)}/messages?limit=50&cursor=${around.previousCursor}`)).body
  expect(newer.items.map(({ id }: Message) => id)).toEqual(all.slice(3).map(({ id }) => id))
  const after = await threadOf(asha, `?after=${first?.id}`)
  expect(after.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id))
  const [ofZoe] = await threadOf(zoe)
  expect((await ann.call('GET', `${pathOf(asha)}/messages?after=${ofZoe?.id}`)).status).toBe(404)
})

test('a customer who opts out is marked in the inbox', async () => {
  const out = { category: 'marketing', value: 'out', note: 'Asked by phone' }
  expect((await ann.call('POST', `/api/contacts/${zoe.contact.id}/consent`, out)).status).toBe(201)
  expect((await read(zoe)).contact.optedOut).toBe(true)
  expect((await find('?q=zoe'))[0]?.contact.optedOut).toBe(true)
})

test('a workspace knows nothing of another one, and ids that are none are not found', async () => {
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const [message] = await threadOf(asha)
  const text = { content: { type: 'text', text: 'Mallory' } }
  for (const by of [eve, ann]) {
    const id = by === eve ? asha.id : 'guessed-1'
    const contactId = by === eve ? asha.contact.id : 'guessed-1'
    for (const [method, path, json] of [
      ['GET', `${list}/${id}`],
      ['GET', `${list}/${id}/messages`],
      ['GET', `${list}/${id}/messages?after=${message?.id}`],
      ['POST', `${list}/${id}/messages`, text],
      ['PATCH', `${list}/${id}`, { read: true }],
      ['POST', list, { contactId }],
    ] as const)
      expect([method, path, (await by.call(method, path, json)).status]).toEqual([method, path, 404])
  }
  expect(await names('', eve)).toEqual([])
  expect((await eve.call('GET', `${list}/summary`)).body).toMatchObject({ total: 0, unread: 0 })
})

test('a viewer reads and changes nothing', async () => {
  const vic = parley.signIn({ role: 'viewer' })
  expect(await names('?show=open', vic)).not.toEqual([])
  expect((await change(asha, { read: true }, vic)).status).toBe(403)
  expect((await vic.call('POST', `${pathOf(asha)}/messages`, { content: { type: 'text', text: 'x' } })).status).toBe(
    403,
  )
})

test('every list, counter and thread has its index', async () => {
  const [first] = await threadOf(asha)
  await expectIndexed(parley.database.connection, async () => {
    for (const show of ['all', 'mine', 'mentions', 'unassigned', 'unread', 'open', 'snoozed', 'closed'])
      for (const sort of ['newest', 'waiting', 'window']) await find(`?show=${show}&sort=${sort}`)
    await ann.call('GET', `${list}/summary`)
    for (const query of ['', `?after=${first?.id}`, `?around=${first?.id}`]) await threadOf(asha, query)
  })
  // There are so few that they are read by the index of the condition, and then sorted.
  const few = { fewSorted: true }
  await expectIndexed(
    parley.database.connection,
    async () => {
      await find(`?contact=${asha.contact.id}`)
      for (const sort of ['newest', 'waiting', 'window'])
        for (const query of [
          `owner=${ann.userId}&number=${asha.numberId}`,
          `bot=${ann.userId}&show=open`,
          `number=${asha.numberId}`,
        ])
          await find(`?sort=${sort}&${query}`)
    },
    few,
  )
})
