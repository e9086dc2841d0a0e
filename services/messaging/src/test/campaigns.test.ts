import { campaignProgressSchema, campaignSchema, nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { watched } from '../modules/campaigns/campaigns.model.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  makeDue,
  scheduledIn,
  sendAt,
  sentBy,
  workOn,
} from './campaign-fixtures.ts'
import { listen } from './listen.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
const usualSpeed = 150
/** Messages per second: so slow that a campaign is far from its end whenever something is done to it. */
const slow = 2
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, usualSpeed)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
let phones = 919_811_000_000
/** Contacts with a tag of their own, and a campaign for it. */
async function withAudience(count: number, over: object = {}) {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 10_000
  const { connection } = parley.database
  const ids = await addContacts(connection, parley.scope, { count, firstPhone: phones, tags: [tag] })
  const audience = { kind: 'tags', tags: [tag] }
  const input = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName, ...over }
  return { tag, ids, firstPhone: phones, input }
}
const create = (input: object) => launchCampaign(owner(), input)
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const change = async (id: string, action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
const messagesOf = (id: string) =>
  parley.database.connection.collection('messages').find({ 'cause.id': id, 'cause.kind': 'campaign' }).toArray()
const rowsOf = (id: string) =>
  parley.database.connection
    .collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .sort({ n: 1 })
    .toArray()

test('everyone in the audience gets it once, in their own words; who may not get it is left out and counted', async () => {
  const { input, tag, firstPhone } = await withAudience(30)
  const { connection } = parley.database
  const more = (at: number, over: object) =>
    addContacts(connection, parley.scope, { count: 1, firstPhone: firstPhone + 1000 + at, tags: [tag], over })
  await more(0, { blocked: true })
  await more(1, { optIn: { marketing: 'out', source: 'whatsapp', at: new Date() } })
  await more(2, { optIn: { marketing: 'unknown', source: 'manual' } })
  const excluded = { ...nobodyExcluded, optedOut: 1, noOptIn: 1, blocked: 1 }
  const preview = await owner().call('POST', '/api/campaigns/preview', { audience: input.audience, templateId })
  expect(preview.body).toEqual({ audience: 33, excluded, reachable: 30 })

  const stream = await listen(owner())
  const made = await create(input)
  expect(made.status).toBe(200)
  expect(campaignSchema.parse(made.body)).toMatchObject({ status: 'active', audienceName: `Tagged ${tag}` })
  const done = await eventually(async () => {
    const campaign = await read(made.body.id)
    expect(campaign.status).toBe('completed')
    expect(campaign.counts.read).toBe(30)
    return campaign
  })
  const counts = { audience: 33, excluded, queued: 0, sent: 30, delivered: 30, read: 30, failed: 0, uncertain: 0 }
  expect(done.counts).toEqual({ ...counts, clicked: null, replied: 0 })
  const sent = await sentBy(parley)
  const all = await rowsOf(made.body.id)
  for (const { _id, state } of all) expect(sent.get(String(_id)), state).toBe(state === 'read' ? 1 : undefined)
  const [message] = await messagesOf(made.body.id)
  expect(message?.['content'].text).toBe('Hi Asha, our new tea has arrived and it waits for you in the shop.')
  expect(all.map(({ n }) => n)).toEqual(all.map((_, index) => index))
  const list = await owner().call('GET', '/api/campaigns?status=completed&q=SPRING')
  expect(list.body.items.map(({ id }: { id: string }) => id)).toContain(made.body.id)
  expect((await owner().call('GET', '/api/campaigns/summary')).body.completed).toBeGreaterThanOrEqual(1)
  // Progress is streamed to viewers, up to the end.
  await eventually(() => {
    const progress = stream.entries().flatMap(({ event, data }) => (event === 'campaign.progress' ? [data] : []))
    const last = progress
      .map((data) => campaignProgressSchema.parse(data))
      .findLast(({ campaignId }) => campaignId === made.body.id)
    expect(last?.counts).toEqual(done.counts)
  })
})

test('a customer who answers has the campaign’s message in the thread', async () => {
  const { input, firstPhone } = await withAudience(1)
  const { body } = await create(input)
  await eventually(async () => expect((await read(body.id)).counts.read).toBe(1))
  const from = String(firstPhone)
  await parley.simulator.call('/inbound', { from, name: 'Asha', type: 'text', text: { body: 'Keep one for me' } })
  await eventually(async () => {
    const { body: found } = await owner().call('GET', `/api/conversations?q=${from}`)
    expect(found.items).toHaveLength(1)
    const thread = await owner().call('GET', `/api/conversations/${found.items[0].id}/messages`)
    expect(thread.body.items.map(({ cause }: { cause: { kind: string } }) => cause.kind)).toEqual([
      'campaign',
      'customer',
    ])
  })
})

test('a paused campaign sends nothing until it is resumed; the same action again is the same', async () => {
  const { input } = await withAudience(320)
  await sendAt(parley, slow)
  const { body } = await create(input)
  await eventually(async () => expect((await messagesOf(body.id)).length).toBeGreaterThan(0))
  expect((await change(body.id, 'pause')).body.status).toBe('paused')
  const states = async () => new Set((await messagesOf(body.id)).map(({ dispatch }) => dispatch.state))
  expect(await states()).not.toContain('queued')
  expect((await change(body.id, 'pause')).status).toBe(200)
  await eventually(async () => expect(await states()).not.toContain('sending'))
  const before = (await messagesOf(body.id)).length
  const left = (await rowsOf(body.id)).filter(({ enqueued }) => !enqueued).length
  expect([before + left, left > 0]).toEqual([320, true])
  // A round of the workers changes nothing.
  await workOn(parley, body.id)
  expect((await messagesOf(body.id)).length).toBe(before)

  await sendAt(parley, usualSpeed)
  expect((await change(body.id, 'resume')).body.status).toBe('active')
  await eventually(async () => expect((await read(body.id)).status).toBe('completed'))
  expect(new Set((await messagesOf(body.id)).map(({ dispatch }) => dispatch.state))).toEqual(new Set(['accepted']))
  expect((await read(body.id)).counts).toMatchObject({ audience: 320, queued: 0, sent: 320 })
  expect((await change(body.id, 'cancel')).body).toMatchObject({ code: 'wrong_state' })
})

test('of a cancelled campaign nothing more is sent, and what was sent stays', async () => {
  const { input } = await withAudience(320)
  await sendAt(parley, slow)
  const { body } = await create(input)
  await eventually(async () => expect((await read(body.id)).counts.sent).toBeGreaterThan(0))
  expect((await change(body.id, 'cancel')).body.status).toBe('cancelled')
  await eventually(async () => {
    const states = (await messagesOf(body.id)).map(({ dispatch }) => dispatch.state)
    expect(states.filter((state) => ['queued', 'held', 'sending'].includes(state))).toEqual([])
  })
  await sendAt(parley, usualSpeed)
  const accepted = (await messagesOf(body.id)).filter(({ dispatch }) => dispatch.state === 'accepted').length
  await eventually(async () =>
    expect((await read(body.id)).counts).toMatchObject({ audience: 320, sent: accepted, queued: 320 - accepted }),
  )
  expect((await change(body.id, 'resume')).body.code).toBe('wrong_state')
})

test('many rounds at once freeze and queue a campaign once', async () => {
  const { input } = await withAudience(120)
  const { body } = await create({ ...input, schedule: scheduledIn(60) })
  expect(body).toMatchObject({ status: 'scheduled', counts: { audience: 120, queued: 120 } })
  const job = { id: body.id, workspaceId: parley.scope.workspaceId }
  await makeDue(parley, body.id)
  for (let round = 0; round < 3; round += 1)
    await Promise.allSettled(Array.from({ length: 8 }, () => workOn(parley, job.id)))
  await eventually(async () => expect((await read(body.id)).status).toBe('completed'))
  const rows = await rowsOf(body.id)
  expect([rows.length, new Set(rows.map(({ n }) => n)).size]).toEqual([120, 120])
  expect((await messagesOf(body.id)).map(({ _id }) => String(_id)).sort()).toEqual(
    rows.map(({ _id }) => String(_id)).sort(),
  )
})

test('one that was missed waits for a person, and so does one whose template is not approved any more', async () => {
  const { input } = await withAudience(3)
  const schedule = scheduledIn(60)
  const campaigns = parley.database.connection.collection('campaigns')
  const late = (await create({ ...input, schedule })).body
  await makeDue(parley, late.id, 16)
  await eventually(async () =>
    expect(await read(late.id)).toMatchObject({ status: 'paused', pausedFor: 'missed_start' }),
  )
  const resumed = (await change(late.id, 'resume')).body
  expect([resumed.status, resumed.pausedFor]).toEqual(['active', undefined])
  await eventually(async () => expect((await read(late.id)).status).toBe('completed'))

  const other = await approvedTemplate(parley)
  const templates = parley.database.connection.collection('templates')
  const made = (await create({ ...input, templateId: other, schedule })).body
  await templates.updateOne({ _id: new Types.ObjectId(other) }, { $set: { status: 'paused' } })
  await makeDue(parley, made.id)
  await eventually(async () =>
    expect(await read(made.id)).toMatchObject({ status: 'paused', pausedFor: 'template_not_approved' }),
  )
  await templates.updateOne({ _id: new Types.ObjectId(other) }, { $set: { status: 'approved' } })
  // A round that begins before the resumed campaign's messages are given back does not pause it again.
  const resuming = { $set: { status: 'active', watch: watched }, $unset: { pausedFor: 1 } }
  await campaigns.updateOne(
    { _id: new Types.ObjectId(String(made.id)) },
    { ...resuming, $currentDate: { nextAt: true } },
  )
  await workOn(parley, made.id)
  expect((await read(made.id)).status).not.toBe('paused')
  await eventually(async () => expect((await read(made.id)).counts.sent).toBe(3))
})

test('what cannot be sent is refused with a reason', async () => {
  const { input } = await withAudience(1)
  const refused = async (over: object) => {
    const { status, body } = await create({ ...input, ...over })
    return [status, body.code, Object.keys(body.fields ?? {})]
  }
  expect(await refused({ templateId: new Types.ObjectId().toHexString() })).toEqual([404, 'not_found', []])
  expect(await refused({ numberId: 'number-1' })).toEqual([404, 'not_found', []])
  expect(await refused({ audience: { kind: 'segment', segmentId: 'gone' } })).toEqual([404, 'not_found', []])
  expect(await refused({ variables: {} })).toEqual([400, 'validation_failed', ['variables.1']])
  const unknown = { 1: { kind: 'field', field: 'constructor', fallback: 'x' } }
  expect(await refused({ variables: unknown })).toEqual([400, 'validation_failed', ['variables.1.field']])
  expect(await refused({ schedule: scheduledIn(-1) })).toEqual([400, 'schedule_past', []])
  const pending = await owner().call('POST', '/api/templates', {
    name: `reject_${new Types.ObjectId().toHexString()}`,
    language: 'en',
    category: 'marketing',
    body: 'Our shop is open on Sunday.',
    buttons: [],
    examples: {},
    accepted: ['no_way_out'],
  })
  expect(await refused({ templateId: pending.body.id, variables: {} })).toEqual([409, 'template_not_approved', []])
})

test('a campaign is its workspace’s alone; agents look at it, and write drafts that others launch', async () => {
  const { input } = await withAudience(1)
  const { body } = await create({ ...input, schedule: scheduledIn(60) })
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', `/api/campaigns/${body.id}`)).status).toBe(404)
  expect((await stranger.call('POST', `/api/campaigns/${body.id}/status`, { action: 'cancel' })).status).toBe(404)
  expect((await stranger.call('GET', '/api/campaigns')).body.total).toBe(0)
  expect((await stranger.call('POST', '/api/campaigns', input)).status).toBe(404)
  const agent = parley.signIn({ role: 'agent' })
  expect((await agent.call('GET', `/api/campaigns/${body.id}`)).status).toBe(200)
  const draft = await agent.call('POST', '/api/campaigns', input)
  expect(draft.status).toBe(201)
  const launch = { preflightId: 'a'.repeat(24), accepted: [] }
  expect((await agent.call('POST', `/api/campaigns/${draft.body.id}/launch`, launch)).status).toBe(403)
  expect((await parley.signIn({ role: 'viewer' }).call('POST', '/api/campaigns', input)).status).toBe(403)
  expect((await agent.call('POST', `/api/campaigns/${body.id}/status`, { action: 'cancel' })).status).toBe(403)
  expect((await read(body.id)).status).toBe('scheduled')
  expect((await change('gone', 'pause')).status).toBe(404)
})

test('the same request twice makes one draft', async () => {
  const { input } = await withAudience(2)
  const headers = { 'idempotency-key': new Types.ObjectId().toHexString() }
  const ann = owner()
  const [first, second] = [
    await ann.call('POST', '/api/campaigns', input, headers),
    await ann.call('POST', '/api/campaigns', input, headers),
  ]
  expect([first.status, second.body.id]).toEqual([201, first.body.id])
})
