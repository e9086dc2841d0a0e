import { fullConnection } from '@parley/service-kit/data/mongo'
import { Types } from 'mongoose'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
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
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let templateId: string
let phones = 919_871_000_000
/** Starts no worker: each round is one that a test asks for. */
beforeAll(async () => {
  parley = await startMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
  await parley.worker.stop()
  return () => parley.stop()
})
afterEach(() => vi.restoreAllMocks())
vi.setConfig({ testTimeout: 240_000 })

const audience = 120

/** Launches a campaign, whose audience is written down already. */
async function createCampaign(over: object = {}): Promise<string> {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 10_000
  await addContacts(parley.database.connection, parley.scope, { count: audience, firstPhone: phones, tags: [tag] })
  const { body } = await launchCampaign(
    parley.signIn(),
    {
      name: 'Spring tea',
      audience: { kind: 'tags', tags: [tag] },
      numberId: parley.number.id,
      templateId,
      variables: firstName,
      ...over,
    },
    { perform: round },
  )
  return body.id
}
/** One whose time has come: it is written down once more. */
async function dueCampaign(): Promise<string> {
  const id = await createCampaign({ schedule: scheduledIn(60) })
  await makeDue(parley, id)
  return id
}
const change = async (id: string, action: string) =>
  parley.signIn().call('POST', `/api/campaigns/${id}/status`, { action })
const read = async (id: string) => (await parley.signIn().call('GET', `/api/campaigns/${id}`)).body
const round = (id: string) => workOn(parley, id)

/** Counts a campaign's stored rows by their state, and its messages by that of their dispatch. */
async function stored(id: string) {
  const { connection } = parley.database
  const count = async (name: string, filter: object, field: string) =>
    Object.fromEntries(
      (
        await connection
          .collection(name)
          .aggregate([{ $match: filter }, { $group: { _id: `$${field}`, count: { $sum: 1 } } }])
          .toArray()
      ).map(({ _id, count: many }) => [_id, many]),
    )
  return {
    rows: await count('campaignRecipients', { campaignId: new Types.ObjectId(id) }, 'state'),
    messages: await count('messages', { 'cause.id': id }, 'dispatch.state'),
  }
}

/** Does something once, in the middle of the worker's transaction that inserts into a collection. */
function inTheMiddle(name: 'campaignRecipients' | 'messages', act: () => Promise<void>) {
  const collection = fullConnection(parley.database.connection).models[name]?.collection
  if (!collection) throw new Error(`nothing is stored in ${name}`)
  const insertMany = collection.insertMany.bind(collection)
  return vi.spyOn(collection, 'insertMany').mockImplementationOnce(async (documents, options) => {
    const inserted = await insertMany(documents, options)
    await act()
    return inserted
  })
}

/** Goes on with a worker of its own to the end, and everybody has it once. */
async function complete(id: string): Promise<void> {
  const worker = await parley.startWorker()
  try {
    const done = await eventually(async () => {
      const campaign = await read(id)
      expect(campaign).toMatchObject({ status: 'completed', counts: { audience, queued: 0, sent: audience } })
      return campaign
    })
    expect(done.counts).toMatchObject({ failed: 0, uncertain: 0 })
    const sent = await sentBy(parley)
    const rows = parley.database.connection.collection('campaignRecipients')
    const ids = await rows.distinct('_id', { campaignId: new Types.ObjectId(id) })
    expect(ids.map((rowId) => sent.get(String(rowId)))).toEqual(Array.from({ length: audience }, () => 1))
  } finally {
    await worker.stop()
  }
}

const nothing = { rows: {}, messages: {} }
const writtenDown = { rows: { pending: audience }, messages: {} }

test.each([
  ['written down', 'campaignRecipients', dueCampaign, nothing],
  ['given to the outbox', 'messages', createCampaign, writtenDown],
] as const)(
  'a pause while the audience is being %s is taken, the page comes to nothing, and a resume completes it',
  async (_what, collection, make, left) => {
    const id = await make()
    let paused: { status: number; state: string } | undefined
    const insertMany = inTheMiddle(collection, async () => {
      const { status, body } = await change(id, 'pause')
      paused = { status, state: body.status }
    })
    await round(id)
    expect(insertMany).toHaveBeenCalled()
    expect(paused).toEqual({ status: 200, state: 'paused' })
    expect(await stored(id)).toEqual(left)
    await round(id)
    expect(await stored(id)).toEqual(left)
    expect((await change(id, 'resume')).body.status).toBe('active')
    await complete(id)
  },
)

test.each([
  ['written down', 'campaignRecipients', dueCampaign, nothing],
  ['given to the outbox', 'messages', createCampaign, writtenDown],
] as const)(
  'a cancel while the audience is being %s is taken: nothing of it leaves',
  async (_what, collection, make, left) => {
    const id = await make()
    let status: number | undefined
    inTheMiddle(collection, async () => {
      status = (await change(id, 'cancel')).status
    })
    await round(id)
    expect(status).toBe(200)
    expect(await stored(id)).toEqual(left)
    expect((await read(id)).status).toBe('cancelled')
  },
)

test('a pause and a resume in the middle of a page: it is done once more, and everybody has it once', async () => {
  const id = await createCampaign()
  const answers: number[] = []
  inTheMiddle('messages', async () => {
    for (const action of ['pause', 'resume']) answers.push((await change(id, action)).status)
  })
  await round(id)
  expect(answers).toEqual([200, 200])
  expect((await read(id)).status).toBe('active')
  expect(await stored(id)).toEqual({ rows: { queued: audience }, messages: { queued: audience } })
  await complete(id)
})

test('a pause while what was held is being given back: it stays held', async () => {
  const id = await createCampaign()
  await round(id)
  expect((await change(id, 'pause')).status).toBe(200)
  const held = { rows: { queued: audience }, messages: { held: audience } }
  expect(await stored(id)).toEqual(held)
  // It was resumed, and its hold is not given back yet: as after a process that ended in between.
  const campaigns = parley.database.connection.collection('campaigns')
  await campaigns.updateOne({ _id: new Types.ObjectId(id) }, { $set: { status: 'active' }, $inc: { version: 1 } })
  const messages = fullConnection(parley.database.connection).models['messages']
  if (!messages) throw new Error('nothing is stored in messages')
  const updateMany = messages.collection.updateMany.bind(messages.collection)
  let status: number | undefined
  vi.spyOn(messages.collection, 'updateMany').mockImplementationOnce(async (...call) => {
    const moved = await updateMany(...call)
    status = (await change(id, 'pause')).status
    return moved
  })
  await round(id)
  expect(status).toBe(200)
  expect(await stored(id)).toEqual(held)
})

test('a page that another worker has stored meanwhile is passed by', async () => {
  const id = await dueCampaign()
  const collection = fullConnection(parley.database.connection).models['campaignRecipients']?.collection
  if (!collection) throw new Error('nothing is stored in campaignRecipients')
  const insertMany = collection.insertMany.bind(collection)
  vi.spyOn(collection, 'insertMany').mockImplementationOnce(async (documents, options) => {
    await round(id)
    return insertMany(documents, options)
  })
  await round(id)
  expect(await stored(id)).toEqual({ rows: { queued: audience }, messages: { queued: audience } })
  await complete(id)
})
