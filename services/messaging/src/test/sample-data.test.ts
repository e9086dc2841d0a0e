import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { warningRules } from '@parley/contracts/templates/template-findings'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { sweepReleased } from './files.ts'
import { collections, figures, settled, stored } from './sample-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
/** Member of a workspace of tests that leave its records in their numbers: loading all of it takes seconds. */
let reader: Person
beforeAll(async () => {
  parley = await startMessaging({ SAMPLE_DATA: 'on' })
  reader = newcomer()
})
afterAll(() => parley.stop())

vi.setConfig({ testTimeout: 240_000 })
const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newcomer>

test('a new workspace is given the sample data once, however many of its calls are the first', async () => {
  const ann = reader
  const begun = performance.now()
  const answers = await Promise.all(
    ['/api/contacts', '/api/conversations?limit=5', '/api/segments', '/api/conversations/summary', '/api/contacts'].map(
      (path) => settled(ann, 'GET', path),
    ),
  )
  // biome-ignore lint/suspicious/noConsole: how long it takes is told, not judged.
  console.info(`sample data loaded in ${Math.round(performance.now() - begun)} ms`)
  const [, conversations] = answers.map(({ body }) => body)
  // On a slow machine the first calls may have been answered from a part of it.
  const [contacts, segments, summary] = await Promise.all(
    ['/api/contacts', '/api/segments', '/api/conversations/summary'].map((path) => ann.ask('GET', path)),
  )
  expect(contacts).toMatchObject({ total: 8234 })
  expect(contacts.items[0]).toMatchObject({ name: 'Priya Sharma', phone: '+919820000000' })
  expect(conversations.items.map(({ contact }: { contact: { name: string } }) => contact.name)).toEqual([
    'Priya Sharma',
    'Rahul Verma',
    'Ananya Iyer',
    'Meera Joshi',
    'Ravi Menon',
  ])
  expect(segments.items[0]).toMatchObject({ name: 'All Contacts', count: 8234 })
  expect(summary).toMatchObject({ total: 320, unread: 33, open: 305 })
  const [priya] = conversations.items
  const thread = await ann.ask('GET', `/api/conversations/${priya.id}/messages`)
  expect(thread.items.at(-1)).toMatchObject({ content: { type: 'text', text: priya.lastMessage.text } })
  expect(await stored(parley, ann)).toMatchObject(figures)
  expect(await ann.ask('GET', '/api/sample-data')).toEqual({ state: 'loaded' })
})

test('campaigns of the sample data have the figures of the story, and rows behind them', async () => {
  const ann = reader
  await settled(ann, 'GET', '/api/sample-data')
  const { items } = await ann.ask('GET', '/api/campaigns')
  const expected = [...createSampleDataset({ now: new Date() }).campaigns.values()]
  expect(items.map(({ name }: Campaign) => name)).toEqual(expected.map(({ name }) => name))
  for (const { name, counts, status, audienceName } of expected)
    expect(items.find((item: Campaign) => item.name === name)).toMatchObject({ counts, status, audienceName })
  expect(await ann.ask('GET', '/api/campaigns/summary')).toMatchObject({
    total: 10,
    active: 3,
    scheduled: 2,
    completed: 4,
    paused: 1,
    sent: expected.reduce((sum, { counts }) => sum + counts.sent, 0),
  })
  const [paused] = items.filter(({ status }: Campaign) => status === 'paused')
  expect((await ann.call('POST', `/api/campaigns/${paused.id}/status`, { action: 'cancel' })).body).toMatchObject({
    status: 'cancelled',
    counts: paused.counts,
  })
})

test('webhooks of the sample data have the figures of the story, and are never called', async () => {
  const ann = reader
  await settled(ann, 'GET', '/api/sample-data')
  const { items } = await ann.ask('GET', '/api/webhooks')
  const expected = [...createSampleDataset({ now: new Date() }).webhooks.values()]
  for (const { name, url, events, status, totalCalls, successRate } of expected)
    expect(items.find((item: { name: string }) => item.name === name)).toMatchObject({
      url,
      events,
      status,
      totalCalls,
      successRate,
      sample: true,
      failing: null,
    })
  for (const { id, url } of items) {
    expect(new URL(url).hostname).toMatch(/\.example$/)
    expect((await ann.call('POST', `/api/webhooks/${id}/test`, { type: 'message.read' })).body.code).toBe('wrong_state')
  }
})

test('notifications of the sample data lead to its records, and who has read them is each member’s own', async () => {
  const ann = reader
  await settled(ann, 'GET', '/api/sample-data')
  const { items } = await ann.ask('GET', '/api/notifications')
  // The simulator may have decided about a template of the sample by now.
  const ofStory = items.filter(({ category }: { category: string }) => category !== 'template')
  expect(ofStory.map(({ readAt }: { readAt: string | null }) => readAt === null)).toEqual([true, true, true, false])
  const [sale, failed, quality] = ofStory
  const [campaign, conversation, numbers] = await Promise.all([
    ann.call('GET', `/api/campaigns/${sale.object.id}`),
    ann.call('GET', `/api/conversations/${failed.object.id}`),
    ann.call('GET', '/api/numbers'),
  ])
  expect([campaign.body.name, sale.title]).toEqual(['Summer sale', 'Summer sale is complete'])
  expect(failed.title).toContain(conversation.body.contact.name)
  const number = numbers.body.items.find(({ id }: { id: string }) => id === quality.object.id)
  expect(quality.title).toContain(number.displayName)
  const colleague = parley.signIn({ workspaceId: ann.workspaceId })
  expect((await ann.call('POST', '/api/notifications/read', { ids: [sale.id] })).status).toBe(204)
  const { items: after } = await ann.ask('GET', '/api/notifications')
  expect(after.find(({ id }: { id: string }) => id === sale.id).readAt).not.toBeNull()
  expect((await colleague.call('GET', '/api/notifications')).body.unread).toBeGreaterThanOrEqual(3)
})

test('the lists of the inbox do not wait for contacts and messages', async () => {
  const ann = newcomer()
  const scope = { workspaceId: new Types.ObjectId(ann.workspaceId) }
  const states = parley.database.connection.collection('sampleData')
  // State that another process leaves which is busy with the rest.
  const leaseUntil = new Date(Date.now() + 3600_000)
  await states.insertOne({ ...scope, state: 'loading', toldAt: new Date(), inboxReady: true, leaseUntil })
  expect((await ann.call('GET', '/api/conversations')).status).toBe(200)
  expect((await ann.call('GET', '/api/numbers')).status).toBe(200)
  expect(await states.findOne(scope)).toMatchObject({ state: 'loading' })
  await states.updateOne(scope, { $set: { leaseUntil: new Date(0) } })
  await settled(ann, 'GET', '/api/contacts')
  expect(await ann.ask('GET', '/api/contacts')).toMatchObject({ total: 8234 })
  expect(await stored(parley, ann)).toMatchObject(figures)
  expect(await states.findOne(scope)).not.toHaveProperty('inboxReady')
})

test('where loading takes long, what reads is answered from what is there, and what writes is refused', async () => {
  const ann = newcomer()
  const scope = { workspaceId: new Types.ObjectId(ann.workspaceId) }
  const leaseUntil = new Date(Date.now() + 3600_000)
  const states = parley.database.connection.collection('sampleData')
  await states.insertOne({ ...scope, state: 'loading', toldAt: new Date(), leaseUntil })
  const [read, written] = await Promise.all([
    ann.call('GET', '/api/contacts'),
    ann.call('POST', '/api/contacts', { name: 'Own', phone: '+447911123456' }),
  ])
  expect(read).toMatchObject({ status: 200, body: { items: [] } })
  expect(written).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
})

test('a load that was cut off is finished by the next call', async () => {
  const ann = newcomer()
  await settled(ann, 'GET', '/api/contacts')
  const scope = { workspaceId: new Types.ObjectId(ann.workspaceId) }
  const complete = await stored(parley, ann)
  const { connection } = parley.database
  await connection.collection('contacts').deleteMany({ ...scope, tags: 'lead' })
  await connection.collection('messages').deleteMany({ ...scope, direction: 'inbound' })
  await connection
    .collection('sampleData')
    .updateOne(scope, { $set: { state: 'loading', leaseUntil: new Date(0) }, $unset: { simulated: 1 } })
  expect((await settled(ann, 'POST', '/api/sample-data/load')).body).toEqual({ state: 'loaded' })
  expect(await stored(parley, ann)).toEqual(complete)
})

test('its people can be written to, and answer; clearing leaves that conversation and what people have added', async () => {
  const ann = newcomer()
  const { body: list } = await settled(ann, 'GET', '/api/conversations?q=rahul+verma')
  const [rahul] = list.items
  await eventually(async () => {
    const body = await ann.ask('GET', '/api/numbers')
    expect(body.items.map(({ status, quality }: never) => [status, quality])).toEqual([
      ['active', 'high'],
      ['active', 'medium'],
      ['pending', 'unknown'],
    ])
  })
  const sent = await ann.call('POST', `/api/conversations/${rahul.id}/messages`, {
    content: { type: 'text', text: 'Your order is on its way.' },
  })
  expect(sent.status).toBe(201)
  await eventually(async () => {
    const body = await ann.ask('GET', `/api/conversations/${rahul.id}/messages?limit=2`)
    expect(body.items).toMatchObject([
      { content: { text: 'Your order is on its way.' } },
      { direction: 'inbound', content: { text: 'Thank you! That helps.' } },
    ])
  })
  // The simulator knows its templates, and reviews them again.
  const templates = await ann.ask('GET', '/api/templates')
  expect(templates.items.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual([
    'eid_collection pending',
    'feedback_request pending',
    'flash_deal rejected',
    'account_code rejected',
    'wholesale_prices approved',
    'vip_early_access approved',
    'festive_hampers approved',
    'summer_sale approved',
    'cart_reminder approved',
    'weekend_offer approved',
    'new_blend_launch approved',
    'order_shipped approved',
  ])
  const named = (wanted: string) => templates.items.find(({ name }: { name: string }) => name === wanted)
  const { id, version, createdAt: _created, updatedAt: _updated, status: _status, ...deal } = named('flash_deal')
  delete deal.rejectionReason
  const mended = await ann.call('PATCH', `/api/templates/${id}`, {
    ...deal,
    category: 'marketing',
    version,
    accepted: warningRules,
  })
  expect(mended.body).toMatchObject({ status: 'pending', category: 'marketing' })
  await eventually(async () =>
    expect(await ann.ask('GET', '/api/templates/summary')).toMatchObject({ total: 12, approved: 9 }),
  )
  const template = named('weekend_offer')
  const offered = await ann.call('POST', `/api/conversations/${rahul.id}/templates`, {
    templateId: template.id,
    values: { first_name: 'Rahul' },
  })
  expect(offered.body).toMatchObject({ message: { content: { type: 'template', name: 'weekend_offer' } } })
  await eventually(async () => {
    const body = await ann.ask('GET', `/api/conversations/${rahul.id}/messages?limit=2`)
    expect(body.items).toMatchObject([{ content: { type: 'template' } }, { direction: 'inbound' }])
  })
  const ownContact = (await ann.call('POST', '/api/contacts', { name: 'Own', phone: '+447911123456', tags: ['vip'] }))
    .body
  expect((await settled(ann, 'DELETE', '/api/sample-data')).body).toEqual({ state: 'cleared' })
  expect(await stored(parley, ann)).toEqual({
    contacts: 2,
    tags: 2,
    conversations: 1,
    messages: 4,
    numbers: 1,
    templates: 0,
    campaigns: 0,
    campaignRecipients: 0,
    notifications: 0,
    webhooks: 0,
  })
  expect(await stored(parley, ann, { sample: true })).toEqual(Object.fromEntries(collections.map((name) => [name, 0])))
  const left = await ann.ask('GET', '/api/conversations')
  expect(left.items).toMatchObject([{ id: rahul.id, contact: { name: 'Rahul Verma' }, history: { messages: 4 } }])
  expect(await ann.ask('GET', `/api/contacts/${ownContact.id}`)).toMatchObject({ name: 'Own', tags: ['vip'] })
})

test('cleared sample data stays away until it is asked for; a clearing that was cut off is finished', async () => {
  const ann = newcomer()
  await settled(ann, 'GET', '/api/contacts')
  const scope = { workspaceId: new Types.ObjectId(ann.workspaceId) }
  const { connection } = parley.database
  await connection.collection('messages').deleteMany(scope)
  await connection.collection('sampleData').updateOne(scope, { $set: { state: 'clearing', leaseUntil: new Date(0) } })
  expect((await settled(ann, 'DELETE', '/api/sample-data')).body).toEqual({ state: 'cleared' })
  expect((await ann.ask('GET', '/api/contacts')).total).toBe(0)
  expect((await settled(ann, 'POST', '/api/sample-data/load')).body).toEqual({ state: 'loaded' })
  expect(await stored(parley, ann)).toMatchObject(figures)
})

/** A message with a picture, which the page can show. */
async function pictureOf(person: Person) {
  const messages = parley.database.connection.collection('messages')
  const inWorkspace = { workspaceId: new Types.ObjectId(person.workspaceId) }
  expect(await messages.countDocuments({ ...inWorkspace, 'content.url': /^data:/ })).toBe(0)
  const record: Record<string, unknown> = (await messages.findOne({ ...inWorkspace, 'content.type': 'image' })) ?? {}
  const [id, conversationId] = [String(record['_id']), String(record['conversationId'])]
  const { body } = await person.call('GET', `/api/conversations/${conversationId}/messages?around=${id}`)
  const { content } = body.items.find((item: { id: string }) => item.id === id)
  const whole = await person.request('GET', content.url)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await whole.arrayBuffer()).byteLength).toBe(content.sizeBytes)
  const small = await person.request('GET', `${content.url}/thumbnail`)
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  return { record, content }
}

test('messages of the sample data are found from the first search on, and their files served, until it is cleared', async () => {
  const ann = newcomer()
  await settled(ann, 'GET', '/api/contacts')
  /** Counts all matches, page by page: a page ends early where its time is up. */
  const found = async (cursor = ''): Promise<number> => {
    const body = await ann.ask('GET', `/api/messages/search?q=stock${cursor}`)
    return body.items.length + (body.nextCursor ? await found(`&cursor=${body.nextCursor}`) : 0)
  }
  expect(await Promise.all([found(), found()])).toEqual([2, 2])
  const marks = { workspaceId: new Types.ObjectId(ann.workspaceId), sample: true }
  const count = () => parley.database.connection.collection('messageSearch').countDocuments(marks)
  expect(await count()).toBeGreaterThan(1000)
  const picture = await pictureOf(ann)
  const files = () =>
    parley.database.connection.collection('media').countDocuments({ workspaceId: ann.workspaceId, state: 'stored' })
  // Each file is stored once, and the small one of the picture.
  expect(await files()).toBe(7)
  expect((await reader.request('GET', picture.content.url)).status).toBe(404)
  // A member has sent it too: it stays, with its thumbnail.
  const { _id: _, sample: __, ...sent } = picture.record
  await parley.database.connection.collection('messages').insertOne(sent)
  await settled(ann, 'DELETE', '/api/sample-data')
  expect([await found(), await count()]).toEqual([0, 0])
  await sweepReleased(parley)
  expect(await files()).toBe(2)
  expect((await ann.request('GET', picture.content.url)).status).toBe(200)
  await settled(ann, 'POST', '/api/sample-data/load')
  expect(await found()).toBe(2)
})

test('only who may change the workspace loads and clears; no other workspace is touched', async () => {
  const ann = reader
  await settled(ann, 'GET', '/api/contacts')
  const agent = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  expect((await agent.call('DELETE', '/api/sample-data')).status).toBe(403)
  expect((await agent.call('POST', '/api/sample-data/load')).status).toBe(403)
  expect((await agent.call('GET', '/api/sample-data')).body).toEqual({ state: 'loaded' })
  const eve = newcomer()
  await settled(eve, 'DELETE', '/api/sample-data')
  expect(await stored(parley, ann)).toMatchObject(figures)
})

// The last one: it clears what the others read.
test('the plan of the sample data has the figures of the story, day by day, also under a plan that is chosen then', async () => {
  const ann = reader
  await settled(ann, 'GET', '/api/sample-data')
  const expected = { credits: { used: 6_580 }, messages: { used: 7_234 } }
  const usage = await ann.ask('GET', '/api/usage')
  const ownPlan = { id: 'free_trial', name: 'Free Trial', ended: false }
  expect(usage.sample).toMatchObject({ credits: 6_580, messages: 7_234, ownPlan })
  expect(usage).toMatchObject({ ...expected, plan: 'Professional', price: { amount: 9_900, currency: 'USD' } })
  expect([usage.credits.left, usage.messages.left]).toEqual([18_420, 2_766])
  const days = await ann.ask('GET', '/api/usage/days')
  expect([days.length, days.at(-1)?.credits]).toEqual([14, 410])
  const chosen = await ann.ask('POST', '/api/billing/plan', { plan: 'growth' })
  expect(chosen).toMatchObject({ ...expected, plan: 'Growth', messages: { limit: 100_000 }, to: usage.to })
  expect(chosen.sample).toEqual({ credits: 6_580, messages: 7_234 })
  await settled(ann, 'DELETE', '/api/sample-data')
  expect((await ann.ask('GET', '/api/usage')).sample).toBeUndefined()
  expect(await ann.ask('GET', '/api/usage')).toMatchObject({ plan: 'Growth', messages: { used: 0, limit: 100_000 } })
})
