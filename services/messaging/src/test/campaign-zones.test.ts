import { waitUntil } from '@parley/contracts/campaigns/sending-hours'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { expect, test, vi } from 'vitest'
import { eventually, reviewDraft, sendAt, sentBy } from './campaign-fixtures.ts'
import { newTag, openIn, useStoppedMessaging } from './hours-fixtures.ts'

const { parley, owner, keepTo, addPeople, fieldsFor, createCampaign, change, read, round, inOutbox } =
  useStoppedMessaging(919_861_000_000)
vi.setConfig({ testTimeout: 240_000 })

const [early, late] = ['Asia/Tokyo', 'America/Lima']
/** A campaign to people of two zones that are half a day apart, reviewed and launched while those of one may be written to. */
async function twoZones({ inEarly = 5, inLate = 7 } = {}) {
  const tag = newTag()
  await addPeople(tag, inLate, late)
  await addPeople(tag, inEarly, early)
  const hours = await keepTo({ ...openIn(early), zone: 'UTC' })
  const id = await createCampaign({ audience: { kind: 'tags', tags: [tag] } })
  return { id, hours }
}
const campaignOf = (id: string) =>
  parley()
    .database.connection.collection('campaigns')
    .findOne({ _id: new Types.ObjectId(id) })
const rowsOf = (id: string) =>
  parley()
    .database.connection.collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .sort({ n: 1 })
    .toArray()
const statesIn = async (id: string) => {
  const groups: { zones: string[] }[] = (await campaignOf(id))?.['frozen'].groups
  const rows = await rowsOf(id)
  return Object.fromEntries(
    groups.map(({ zones }, zone) => [
      zones.join(),
      rows.flatMap((row) => (row['zone'] === zone ? [row['enqueued'] ? 'enqueued' : row['state']] : [])),
    ]),
  )
}

test('each recipient gets it within the hours of their own zone: some now, the others later, and only then it is through', async () => {
  const { id, hours } = await twoZones()
  await expectIndexed(parley().database.connection, () => round(id))
  expect(await statesIn(id)).toEqual({ [late]: Array(7).fill('pending'), [early]: Array(5).fill('enqueued') })
  // Recipients whose hours are open are under way.
  expect(await read(id)).not.toHaveProperty('waitsUntil')
  const worker = await parley().startWorker()
  try {
    const waiting = await eventually(async () => {
      const campaign = await read(id)
      expect(campaign).toMatchObject({ status: 'active', waitsFor: 'hours', counts: { sent: 5, queued: 7 } })
      return campaign
    })
    expect(waiting.waitsUntil).toBe(waitUntil({ ...hours, zone: late }, new Date())?.toISOString())
    expect((await statesIn(id))[late]).toEqual(Array(7).fill('pending'))
    const sending = async () => {
      const figures = await (await fetch(`${worker.url}/metrics`)).text()
      return ['campaigns', 'rows_left'].map((kind) =>
        Number(new RegExp(`^campaigns_sending{.*kind="${kind}".*} (\\d+)`, 'm').exec(figures)?.[1]),
      )
    }
    expect(await sending()).toEqual([1, 12])
    await keepTo(openIn(late))
    await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 12 } }))
    expect(await read(id)).not.toHaveProperty('waitsUntil')
    expect(await sending()).toEqual([0, 0])
  } finally {
    await worker.stop()
  }
  const rows = await rowsOf(id)
  const sent = await sentBy(parley())
  expect(rows.map(({ _id }) => sent.get(String(_id)))).toEqual(Array(12).fill(1))
})

test('hours that end in one zone hold its messages, not those of others; whoever resumes it lets no one of them go', async () => {
  const { id } = await twoZones()
  await round(id)
  const heldIn = async (state: string) => {
    const open = { 'cause.id': id, 'dispatch.state': state }
    const found = await parley().database.connection.collection('messages').find(open).toArray()
    return Object.fromEntries(
      Object.entries(Object.groupBy(found, ({ cause }) => cause.zone)).map(([zone, all]) => [zone, all?.length]),
    )
  }
  expect(await heldIn('queued')).toEqual({ 1: 5 })
  await keepTo(openIn(late))
  await round(id)
  expect([await heldIn('held'), await heldIn('queued')]).toEqual([{ 1: 5 }, { 0: 7 }])
  await change(id, 'pause')
  expect(await heldIn('held')).toEqual({ 0: 7, 1: 5 })
  await change(id, 'resume')
  await round(id)
  expect([await heldIn('held'), await heldIn('queued')]).toEqual([{ 1: 5 }, { 0: 7 }])
  await keepTo({ limited: false })
  await round(id)
  expect([await heldIn('held'), await heldIn('queued')]).toEqual([{}, { 0: 7, 1: 5 }])
  const worker = await parley().startWorker()
  try {
    await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 12 } }))
  } finally {
    await worker.stop()
  }
})

test('two workers at once, while zones open and close: no row is passed over, none is taken twice', async () => {
  const { id } = await twoZones({ inEarly: 120, inLate: 130 })
  // Fifty are queued at once; this test plays the sender.
  await sendAt(parley(), 20)
  const messages = parley().database.connection.collection('messages')
  const sentIds: string[] = []
  const sendAll = async () => {
    const open = await messages.find({ 'cause.id': id, 'dispatch.state': 'queued' }).toArray()
    sentIds.push(...open.map(({ _id }) => String(_id)))
    await messages.updateMany(
      { _id: { $in: open.map(({ _id }) => _id) } },
      { $set: { 'dispatch.state': 'sent', status: 'sent' }, $unset: { sendLane: 1 } },
    )
    return open.length
  }
  try {
    for (const zone of [early, late, early, late]) {
      await keepTo(openIn(zone))
      await Promise.all([round(id), round(id)])
      expect(await sendAll()).toBeLessThanOrEqual(50)
    }
    expect((await campaignOf(id))?.['position']).toBeLessThan(250)
    await keepTo({ limited: false })
    for (let left = 4; left > 0; left -= 1) {
      await round(id)
      await sendAll()
    }
    await round(id)
  } finally {
    await sendAt(parley(), 150)
  }
  const rows = await rowsOf(id)
  expect(sentIds.toSorted()).toEqual(rows.map(({ _id }) => String(_id)).toSorted())
  expect((await campaignOf(id))?.['position']).toBe(250)
  expect(await read(id)).toMatchObject({ status: 'completed' })
})

test('messages of a zone that fail pause it, once: whoever resumes it has seen them', async () => {
  const { id } = await twoZones({ inEarly: 60, inLate: 60 })
  await round(id)
  const failed = { campaignId: new Types.ObjectId(id), enqueued: true }
  await parley()
    .database.connection.collection('campaignRecipients')
    .updateMany(failed, { $set: { state: 'failed', reason: '131000' } })
  await expectIndexed(parley().database.connection, () => round(id))
  expect(await read(id)).toMatchObject({
    status: 'paused',
    pausedFor: 'too_many_failures',
    pauseDetail: expect.stringMatching(/^60 of the last 60 failed/),
  })
  await change(id, 'resume')
  await round(id)
  expect(await read(id)).toMatchObject({ status: 'active' })
  await change(id, 'cancel')
})

test('its review forecasts each zone by its own hours', async () => {
  const tag = newTag()
  for (const zone of [early, late]) await addPeople(tag, 3, zone)
  const hours = await keepTo({ ...openIn(early), zone: 'UTC' })
  const { body } = await owner().call('POST', '/api/campaigns', fieldsFor(tag))
  const performed = (id: string) => expectIndexed(parley().database.connection, () => round(id))
  const { body: review } = await reviewDraft(owner(), body, { perform: performed })
  const opens = waitUntil({ ...hours, zone: late }, new Date())?.getTime() ?? 0
  const finish = Date.parse(review.delivery.finishAt)
  expect(finish).toBeGreaterThan(opens)
  expect(finish).toBeLessThan(opens + 60_000)
})

test('a campaign without groups, as those of the sample are, goes by the zone of the workspace as a whole', async () => {
  const { id } = await twoZones()
  const ofCampaign = { campaignId: new Types.ObjectId(id) }
  await parley()
    .database.connection.collection('campaigns')
    .updateOne({ _id: new Types.ObjectId(id) }, { $unset: { 'frozen.groups': 1 } })
  await parley()
    .database.connection.collection('campaignRecipients')
    .updateMany(ofCampaign, { $unset: { zone: 1 } })
  const hours = await keepTo({ ...openIn(early), zone: late })
  await round(id)
  expect((await read(id)).waitsUntil).toBe(waitUntil(hours, new Date())?.toISOString())
  await keepTo({ ...openIn(late), zone: late })
  await round(id)
  expect(await inOutbox(id, 'queued')).toBe(12)
  await change(id, 'cancel')
})
