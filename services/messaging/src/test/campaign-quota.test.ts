import { type Usage, usageApi } from '@parley/contracts/usage/usage'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { beforeAll, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  createPeople,
  eventually,
  firstName,
  launchCampaign,
  launchReviewed,
  makeDue,
  reviewDraft,
  scheduledIn,
  workOn,
} from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let templateId: string
/** A worker only where a test starts one: each other round is one that the test asks for. All are on the trial of 1,000. */
beforeAll(async () => {
  parley = await startMessaging()
  templateId = await approvedTemplate(parley)
  await parley.worker.stop()
  await parley.services.applyPlan(parley.scope, { plan: 'free_trial', source: 'operator' })
  return () => parley.stop()
})
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const collection = (name: string) => parley.database.connection.collection(name)
const oid = (id: string) => new Types.ObjectId(id)

const { addTo, people: audience } = createPeople(() => parley, 919_861_000_000)
const fieldsFor = (tag: string) => ({
  name: 'Spring tea',
  audience: { kind: 'tags', tags: [tag] },
  numberId: parley.number.id,
  templateId,
  variables: firstName,
})
const launch = (tag: string, over: object = {}) =>
  launchCampaign(owner(), { ...fieldsFor(tag), ...over }, { perform: round })
async function reviewed(tag: string) {
  const draft = await owner().ask('POST', '/api/campaigns', fieldsFor(tag))
  return { id: draft.id, review: (await reviewDraft(owner(), draft, { perform: round })).body }
}
const change = (id: string, action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const meters = async (): Promise<Usage> => usageApi.read.response.parse((await owner().call('GET', '/api/usage')).body)
/** Reads the use with the figures of templates. */
async function usage() {
  const { credits, ...rest } = await meters()
  return { ...rest, ...credits }
}
const round = (id: string) => workOn(parley, id)

/** A campaign whose time comes now. */
async function scheduled(tag: string): Promise<string> {
  const { body } = await launch(tag, { schedule: scheduledIn(60) })
  return body.id
}
const due = (id: string) => makeDue(parley, id)

/** Replaces its rows, and counts all of them. */
async function becomes(id: string, states: readonly string[]): Promise<void> {
  const ofCampaign = { campaignId: oid(id) }
  for (const [n, state] of states.entries())
    await collection('campaignRecipients').updateOne({ ...ofCampaign, n }, { $set: { state } })
  const campaign = await parley.services.campaignRecords.read(parley.scope, id)
  if (campaign) await parley.services.recount.countAll(campaign)
}

/** A person answers a customer with a text and with a template, which alone is counted. */
async function answersWithTemplate(): Promise<void> {
  const firstPhone = 919_861_999_999
  const from = String(firstPhone)
  await addContacts(parley.database.connection, parley.scope, { count: 1, firstPhone, tags: [] })
  await parley.simulator.call('/inbound', { from, name: 'Asha', type: 'text', text: { body: 'What is new?' } })
  const conversationId = await eventually(async () => {
    const { items } = (await owner().call('GET', `/api/conversations?q=${from}`)).body
    expect(items).toHaveLength(1)
    return items[0].id
  })
  const path = `/api/conversations/${conversationId}`
  const text = { content: { type: 'text', text: 'A new tea.' }, clientId: new Types.ObjectId().toHexString() }
  expect((await owner().call('POST', `${path}/messages`, text)).status).toBe(201)
  expect((await owner().call('POST', `${path}/templates`, { templateId, values: { 1: 'Asha' } })).status).toBe(201)
  await eventually(async () => {
    const { items } = (await owner().call('GET', `${path}/messages`)).body
    expect(items.map(({ status }: { status?: string }) => status)).toEqual([undefined, 'read', 'read'])
  })
}

test('of two launches at once that do not both fit one passes; cancelled, it gives back what it held', async () => {
  const [first, second] = [await audience(600), await audience(600)]
  expect(await usage()).toMatchObject({ plan: 'Free Trial', limit: 1000, used: 0, held: 0, left: 1000 })
  const both = [await reviewed(first), await reviewed(second)]
  const answers = await Promise.all(both.map(({ id, review }) => launchReviewed(owner(), id, review)))
  const [refused, ...others] = answers.filter(({ status }) => status === 409)
  const passed = answers.find(({ status }) => status === 200)?.body
  expect([refused?.body.code, others, passed.status]).toEqual(['quota_exceeded', [], 'active'])
  expect(refused?.body.message).toMatch(
    /^This campaign needs 600 credits, and 400 of 1,000 are left until .+ Choose fewer contacts, or ask the owner to choose a larger plan/,
  )
  expect(await usage()).toMatchObject({ used: 0, held: 600, left: 400 })
  // It holds both meters.
  expect((await meters()).messages).toMatchObject({ limit: 1000, used: 0, held: 600, left: 400 })
  // The other one is still a draft.
  expect((await owner().call('GET', '/api/campaigns/summary')).body).toMatchObject({ total: 1, draft: 1 })

  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', '/api/usage')).body.credits).toMatchObject({ held: 0, left: 1000 })
  expect((await stranger.call('POST', `/api/campaigns/${passed.id}/status`, { action: 'cancel' })).status).toBe(404)
  expect((await usage()).held).toBe(600)

  await round(passed.id)
  expect((await change(passed.id, 'cancel')).status).toBe(200)
  await round(passed.id)
  await becomes(passed.id, [])
  expect(await usage()).toMatchObject({ used: 0, held: 0, left: 1000 })
  const again = await launch(second)
  expect(again.status).toBe(200)
  await change(again.body.id, 'cancel')
})

test('what is on its way when its campaign is cancelled is still held', async () => {
  const { held } = await usage()
  const { body } = await launch(await audience(3))
  await round(body.id)
  const sending = { 'dispatch.state': 'sending', 'dispatch.leaseUntil': new Date(Date.now() + 600_000) }
  const ofCampaign = { 'cause.id': body.id }
  expect(await collection('messages').countDocuments(ofCampaign)).toBe(3)
  await collection('messages').updateOne(ofCampaign, { $set: sending })
  await change(body.id, 'cancel')
  await round(body.id)
  await becomes(body.id, [])
  expect((await usage()).held).toBe(held + 1)
  await collection('messages').updateMany(ofCampaign, {
    $set: { 'dispatch.state': 'cancelled' },
    $unset: { sendLane: 1 },
  })
  await becomes(body.id, ['pending', 'pending', 'pending'])
  expect((await usage()).held).toBe(held)
})

test('held is who waits or is uncertain, used is who was sent to, and all others are given back', async () => {
  const { body } = await launch(await audience(10))
  await round(body.id)
  const states = ['sent', 'delivered', 'read', 'failed', 'failed', 'skipped', 'uncertain', 'queued', 'queued', 'queued']
  const before = await usage()
  await becomes(body.id, states)
  for (const _ of ['once', 'again']) {
    expect(await usage()).toMatchObject({ used: before.used + 3, held: before.held - 6 })
    await becomes(body.id, states)
  }
  // It is cancelled: untried recipients are given back; those who may have got it are held for a week.
  await change(body.id, 'cancel')
  await becomes(body.id, [...states.slice(0, 7), 'pending', 'pending', 'pending'])
  expect(await usage()).toMatchObject({ used: 3, held: 1 })
  const week = { $set: { stoppedAt: new Date(Date.now() - 7 * 86_400_000) } }
  await collection('campaigns').updateOne({ _id: oid(body.id) }, week)
  // A read writes nothing: a worker gives it back.
  expect(await usage()).toMatchObject({ used: 3, held: 1 })
  await parley.services.usageWatch.perform(parley.scope)
  expect(await usage()).toMatchObject({ used: 3, held: 0, left: 997 })
  // It has been delivered after all.
  await becomes(body.id, [...states.slice(0, 6), 'delivered'])
  expect(await usage()).toMatchObject({ used: 4, held: 0 })
})

test('a start for which there is no room pauses the campaign, which is resumed once there is', async () => {
  const grown = await audience(40)
  const [late, more] = [await scheduled(await audience(50)), await scheduled(grown)]
  const large = await launch(await audience(956))
  await addTo(grown, 2)
  for (const id of [late, more]) {
    await due(id)
    await round(id)
    await round(id)
    expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'quota' })
    const refused = await change(id, 'resume')
    expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded'])
    expect(await collection('messages').countDocuments({ 'cause.id': id })).toBe(0)
  }
  // There was room for forty, but not for those who had come since.
  expect((await read(more)).pauseDetail).toMatch(/^This campaign needs 42 credits/)
  expect(await usage()).toMatchObject({ held: 956 })

  await change(large.body.id, 'cancel')
  expect((await change(late, 'resume')).body.status).toBe('active')
  expect((await usage()).held).toBe(50)
  const paused = await change(late, 'pause')
  expect([paused.body.status, (await usage()).held]).toEqual(['paused', 50])
  expect((await change(late, 'resume')).status).toBe(200)

  const worker = await parley.startWorker()
  try {
    await eventually(async () => expect(await read(late)).toMatchObject({ status: 'completed', counts: { sent: 50 } }))
    expect(await usage()).toMatchObject({ used: 54, held: 0 })
    await eventually(async () => {
      const { items } = (await owner().call('GET', '/api/notifications?limit=100')).body
      const campaignItems = items.filter(({ object }: { object: { id: string } }) => object.id === more)
      expect(campaignItems).toMatchObject([{ severity: 'warning', action: 'Resume it once you have enough credits' }])
    })
    await answersWithTemplate()
    await eventually(async () => expect(await usage()).toMatchObject({ used: 55, held: 0 }))
    await eventually(async () => expect((await meters()).messages).toMatchObject({ used: 56, held: 0 }))
  } finally {
    await worker.stop()
  }
})

test('usage is read through indexes; a trial that has ended starts nothing, and a plan goes on with what it has used', async () => {
  await expectIndexed(parley.database.connection, usage)
  const at = new Date(Date.now() + 20 * 86_400_000).toISOString()
  const later = (await owner().call('GET', `/api/usage?at=${at}`)).body
  expect(later).toMatchObject({ ended: true, credits: { left: 0 }, messages: { left: 0 }, renews: false })
  const setPlan = (plan: string) =>
    runToEnd(`${import.meta.dirname}/../set-plan.ts`, { MONGODB_URL: parley.database.url }, [
      ...['--workspace', parley.scope.workspaceId, '--plan', plan],
    ])
  expect((await setPlan('enterprise')).exitCode).toBe(1)
  expect((await setPlan('starter')).exitCode).toBe(0)
  expect(await usage()).toMatchObject({ plan: 'Starter', limit: 25_000, used: 55, renews: true })
  expect((await owner().call('GET', '/api/usage?at=tomorrow')).status).toBe(400)
})
