import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  sendAt,
  sentBy,
  workOn,
} from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let templateId: string
let phones = 919_881_000_000
/** A worker only where a test starts one: each other round is one that the test asks for. */
beforeAll(async () => {
  parley = await startMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
  await parley.worker.stop()
  return () => parley.stop()
})
beforeEach(() => sets('numbers', parley.number.id, { quality: 'high' }))
vi.setConfig({ testTimeout: 240_000 })

const collection = (name: string) => parley.database.connection.collection(name)
const sets = (name: string, id: string, $set: object) =>
  collection(name).updateOne({ _id: new Types.ObjectId(id) }, { $set })
const owner = () => parley.signIn()

async function createCampaign(count: number, template = templateId): Promise<string> {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 10_000
  await addContacts(parley.database.connection, parley.scope, { count, firstPhone: phones, tags: [tag] })
  const input = { name: 'Spring tea', audience: { kind: 'tags', tags: [tag] }, numberId: parley.number.id }
  const { body } = await launchCampaign(
    owner(),
    { ...input, templateId: template, variables: firstName },
    { perform: round },
  )
  return body.id
}
const change = (id: string, action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const round = (id: string) => workOn(parley, id)
const open = (id: string, state: string) =>
  collection('messages').countDocuments({ 'cause.id': id, 'dispatch.state': state })

/** Goes on with a worker of its own to the end: everybody has it once. */
async function complete(id: string, audience: number): Promise<void> {
  const worker = await parley.startWorker()
  try {
    await eventually(async () =>
      expect(await read(id)).toMatchObject({ status: 'completed', counts: { audience, queued: 0, sent: audience } }),
    )
    const sent = await sentBy(parley)
    const ids = await collection('campaignRecipients').distinct('_id', { campaignId: new Types.ObjectId(id) })
    expect(ids.map((rowId) => sent.get(String(rowId)))).toEqual(ids.map(() => 1))
  } finally {
    await worker.stop()
  }
}

test('a number that may not send pauses its campaigns; they cannot be resumed until it can, and nobody is left out', async () => {
  const id = await createCampaign(40)
  await round(id)
  expect(await open(id, 'queued')).toBe(40)
  await parley.services.numbers.stop(parley.scope, parley.number.id, 131042, 'There is a problem with the payment.')
  await round(id)
  expect(await read(id)).toMatchObject({
    status: 'paused',
    pausedFor: 'number_stopped',
    pauseDetail: 'There is a problem with the payment.',
  })
  expect(await open(id, 'held')).toBe(40)
  const refused = await change(id, 'resume')
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'pause_reason_holds',
    'Its number cannot send it now. There is a problem with the payment. See WhatsApp Numbers.',
  ])
  expect((await read(id)).status).toBe('paused')
  const mended = { $unset: { stopped: 1 as const }, $set: { status: 'active' } }
  await collection('numbers').updateOne({ _id: new Types.ObjectId(parley.number.id) }, mended)
  const resumed = (await change(id, 'resume')).body
  expect([resumed.status, resumed.pausedFor, resumed.pauseDetail]).toEqual(['active', undefined, undefined])
  await complete(id, 40)
})

test('low quality of its number pauses a campaign once: whoever resumes it has seen it', async () => {
  const id = await createCampaign(20)
  await round(id)
  await sets('numbers', parley.number.id, { quality: 'low' })
  await round(id)
  expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'number_quality' })
  expect((await change(id, 'resume')).status).toBe(200)
  await round(id)
  expect((await read(id)).status).toBe('active')
  const meanwhile = await createCampaign(1)
  await round(meanwhile)
  expect((await read(meanwhile)).status).toBe('active')
  await complete(id, 20)
})

test('another category of its template pauses a campaign, and is accepted by resuming it', async () => {
  const id = await createCampaign(20)
  await round(id)
  await sets('templates', templateId, { category: 'utility' })
  try {
    await round(id)
    expect(await read(id)).toMatchObject({
      status: 'paused',
      pausedFor: 'template_recategorised',
      pauseDetail: 'From marketing to utility.',
    })
    expect((await change(id, 'resume')).status).toBe(200)
    await complete(id, 20)
  } finally {
    await sets('templates', templateId, { category: 'marketing' })
  }
})

test('a template that WhatsApp refuses pauses the campaign; what it has refused is kept, and leaves once it is resumed', async () => {
  const fault = { trigger: { kind: 'always' }, effect: { kind: 'error', code: 132015 } }
  const injected = await parley.simulator.call('/inject', fault)
  const id = await createCampaign(60)
  const worker = await parley.startWorker()
  try {
    await eventually(async () =>
      expect(await read(id)).toMatchObject({
        status: 'paused',
        pausedFor: 'template_refused',
        pauseDetail: 'The template is paused.',
        counts: { failed: 0, sent: 0, queued: 60 },
      }),
    )
    await eventually(async () => {
      const { items } = (await owner().call('GET', '/api/notifications?limit=100')).body
      const campaignItems = items.filter(({ object }: { object: { id: string } }) => object.id === id)
      expect(campaignItems).toMatchObject([{ title: 'Spring tea was paused', action: 'Look at its template' }])
    })
  } finally {
    await worker.stop()
  }
  await fetch(`${parley.simulator.url}/sim/inject/${injected.id}`, { method: 'DELETE' })
  expect((await change(id, 'resume')).status).toBe(200)
  await complete(id, 60)
})

test('a campaign is paused where a code that stops marketing refuses what is none; nobody is left out', async () => {
  const fault = { trigger: { kind: 'always' }, effect: { kind: 'error', code: 131048 } }
  const injected = await parley.simulator.call('/inject', fault)
  // It hears of the approval, too.
  const worker = await parley.startWorker()
  const paused = async () => {
    const notice = await approvedTemplate(parley, { category: 'utility' })
    const id = await createCampaign(20, notice)
    await eventually(async () =>
      expect(await read(id)).toMatchObject({
        status: 'paused',
        pausedFor: 'number_stopped',
        counts: { failed: 0, sent: 0, queued: 20 },
      }),
    )
    return id
  }
  const id = await paused().finally(async () => {
    await worker.stop()
    await fetch(`${parley.simulator.url}/sim/inject/${injected.id}`, { method: 'DELETE' })
  })
  expect((await change(id, 'resume')).status).toBe(200)
  await complete(id, 20)
  await collection('numbers').updateOne({ _id: new Types.ObjectId(parley.number.id) }, { $unset: { stopped: 1 } })
})

test('a campaign whose messages fail is paused with the reason; what is resumed is judged anew', async () => {
  const id = await createCampaign(400)
  await round(id)
  const campaignId = new Types.ObjectId(id)
  const rows = collection('campaignRecipients')
  const turn = (from: number, to: number, $set: object) =>
    rows.updateMany({ campaignId, n: { $gte: from, $lt: to } }, { $set })
  await turn(0, 150, { state: 'sent' })
  await turn(150, 200, { state: 'failed', reason: '131000' })
  await round(id)
  expect((await read(id)).status).toBe('active')
  await turn(0, 1, { state: 'failed', reason: '131000' })
  await round(id)
  expect(await read(id)).toMatchObject({
    status: 'paused',
    pausedFor: 'too_many_failures',
    pauseDetail: '51 of the last 200 failed, most with: WhatsApp could not take the message.',
  })
  expect((await change(id, 'resume')).status).toBe(200)
  await round(id)
  expect((await read(id)).status).toBe('active')
  await change(id, 'cancel')
})

test('a campaign that no worker has looked after for half an hour waits for a person', async () => {
  const id = await createCampaign(20)
  await round(id)
  const stored = await collection('campaigns').findOne({ _id: new Types.ObjectId(id) })
  const roundAt: Date = stored?.['roundAt']
  expect(roundAt).toBeInstanceOf(Date)
  await sets('campaigns', id, { roundAt: new Date(roundAt.getTime() - 31 * 60_000) })
  await round(id)
  expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'outage' })
  expect(await open(id, 'held')).toBe(20)
  expect((await change(id, 'resume')).status).toBe(200)
  await complete(id, 20)
})

test('what became of the latest rows is read through an index', async () => {
  const id = await createCampaign(20)
  await expectIndexed(parley.database.connection, () => round(id))
  await change(id, 'cancel')
})

test('an event that the quality of the number has fallen pauses what is being sent', async () => {
  await sendAt(parley, 2)
  const id = await createCampaign(300)
  const worker = await parley.startWorker()
  try {
    await eventually(async () => expect((await read(id)).counts.sent).toBeGreaterThan(0))
    await parley.simulator.call('/quality', { phone_number_id: parley.number.phoneNumberId, quality: 'RED' })
    await eventually(async () =>
      expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'number_quality' }),
    )
    const { counts } = await read(id)
    expect(counts.queued).toBeGreaterThan(0)
  } finally {
    await worker.stop()
    await sendAt(parley, 150)
  }
  await change(id, 'cancel')
})
