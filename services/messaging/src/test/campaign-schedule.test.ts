import { campaignSchema } from '@parley/contracts/campaigns/campaigns'
import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  approvedTemplate,
  createPeople,
  eventually,
  firstName,
  launchCampaign,
  makeDue,
  reviewDraft,
  scheduledIn,
  sendAt,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
  await keepZone('Europe/Berlin')
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 120_000 })

const zone = 'Europe/Berlin'
const ann = () => parley.signIn()
const campaigns = () => parley.database.connection.collection('campaigns')
const oid = (id: string) => new Types.ObjectId(id)

async function keepZone(name: string): Promise<void> {
  const path = '/api/workspace/sending-hours'
  await ann().ask('PUT', path, { ...(await ann().ask('GET', path)), zone: name })
}
const { addTo, people } = createPeople(() => parley, 919_871_000_000)
/** Schedules a campaign to this number of people. */
async function scheduled(count: number, schedule: object = scheduledIn(60, zone)) {
  const tag = await people(count)
  const input = { name: 'Spring tea', audience: { kind: 'tags', tags: [tag] }, numberId: parley.number.id, templateId }
  const { status, body } = await launchCampaign(ann(), { ...input, variables: firstName, schedule })
  expect([status, campaignSchema.parse(body).status]).toEqual([200, 'scheduled'])
  return { id: String(body.id), tag, campaign: campaignSchema.parse(body) }
}
const read = (id: string) => ann().ask('GET', `/api/campaigns/${id}`)
const change = (id: string, action: string, over: object = {}) =>
  ann().call('POST', `/api/campaigns/${id}/status`, { action, ...over })
const rowsOf = (id: string) =>
  parley.database.connection
    .collection('campaignRecipients')
    .find({ campaignId: oid(id) })
    .sort({ n: 1 })
    .toArray()

/** The last Sunday of a month of the next year, when clocks in Europe change. */
function changeOfClock(month: '03' | '10'): string {
  const last = new Date(`${new Date().getUTCFullYear() + 1}-${month}-31T00:00:00Z`)
  last.setUTCDate(last.getUTCDate() - last.getUTCDay())
  return last.toISOString().slice(0, 10)
}

test('a scheduled campaign shows what its review has counted, and is written down once more at its start', async () => {
  const { id, tag, campaign } = await scheduled(40)
  expect(campaign).toMatchObject({ counts: { audience: 40, queued: 40 }, schedule: expect.anything() })
  const before = (await rowsOf(id)).map(({ _id }) => String(_id))
  expect(before).toHaveLength(40)
  const { used } = (await ann().ask('GET', '/api/usage')).credits
  await addTo(tag, 2)
  await makeDue(parley, id)
  await eventually(async () =>
    expect(await read(id)).toMatchObject({
      status: 'completed',
      counts: { audience: 42, sent: 42 },
      sinceReview: { audience: 2, recipients: 2 },
    }),
  )
  const rows = await rowsOf(id)
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, n) => n))
  expect(rows.filter(({ _id }) => before.includes(String(_id)))).toEqual([])
  expect((await ann().ask('GET', '/api/usage')).credits.used).toBe(used + 42)
})

test('one that has become far larger than its review waits for a person, and goes on with the rows that are there', async () => {
  const { id, tag } = await scheduled(20)
  await addTo(tag, 2)
  await makeDue(parley, id)
  const paused = await eventually(async () => {
    const found = await read(id)
    expect(found).toMatchObject({ status: 'paused', pausedFor: 'more_recipients' })
    return found
  })
  expect(paused).toMatchObject({
    pauseDetail: 'It has 22 recipients; in its review there were 20.',
    sinceReview: { audience: 2, recipients: 2 },
  })
  expect(await parley.database.connection.collection('messages').countDocuments({ 'cause.id': id })).toBe(0)
  for (const action of ['start_now', 'reschedule'])
    expect((await change(id, action, { schedule: scheduledIn(90, zone) })).body.code).toBe('wrong_state')
  const rows = await rowsOf(id)
  await addTo(tag, 5)
  expect((await change(id, 'resume')).body.status).toBe('active')
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 22 } }))
  expect((await rowsOf(id)).map(({ _id }) => String(_id))).toEqual(rows.map(({ _id }) => String(_id)))
})

test('a campaign that waits is started now, or given another time; one that was missed as well', async () => {
  const { id, tag } = await scheduled(3)
  await addTo(tag, 1)
  expect((await change(id, 'reschedule')).body.fields).toEqual({ schedule: 'Choose a date and a time' })
  const past = await change(id, 'reschedule', { schedule: scheduledIn(-1, zone) })
  expect([past.status, past.body.code]).toEqual([400, 'schedule_past'])
  const later = scheduledIn(600, zone)
  const moved = await change(id, 'reschedule', { schedule: later })
  expect(moved.body).toMatchObject({ status: 'scheduled', schedule: later })
  expect(moved.body.scheduledFor).toBe(momentOf(later, zone)?.toISOString())
  await makeDue(parley, id, 16)
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'missed_start' }))
  expect((await change(id, 'reschedule', { schedule: later })).body).toMatchObject({
    status: 'scheduled',
    schedule: later,
  })
  const started = await change(id, 'start_now')
  expect(started.body.status).toBe('active')
  expect(started.body).not.toHaveProperty('schedule')
  // Pauses: it has one recipient more than in the review, which no one has agreed to.
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'more_recipients' }))
  await change(id, 'resume')
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 4 } }))
  for (const action of ['start_now', 'reschedule'])
    expect((await change(id, action, { schedule: later })).body.code).toBe('wrong_state')
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const other = await scheduled(1)
  for (const action of ['start_now', 'reschedule']) {
    const body = { action, schedule: later }
    expect((await stranger.call('POST', `/api/campaigns/${other.id}/status`, body)).status).toBe(404)
    const agent = parley.signIn({ role: 'agent' })
    expect((await agent.call('POST', `/api/campaigns/${other.id}/status`, body)).status).toBe(403)
  }
  await change(other.id, 'cancel')
})

test('a time is that of the workspace’s clock: skipped in spring it is as much later, shown twice in autumn it is the first', async () => {
  const spring = await scheduled(1, { date: changeOfClock('03'), time: '02:30' })
  expect(spring.campaign.scheduledFor).toBe(`${changeOfClock('03')}T01:30:00.000Z`)
  const autumn = await scheduled(1, { date: changeOfClock('10'), time: '02:30' })
  expect(autumn.campaign.scheduledFor).toBe(`${changeOfClock('10')}T00:30:00.000Z`)
  for (const { id } of [spring, autumn]) await change(id, 'cancel')
})

test('another zone of the workspace moves what is scheduled, and makes reviews of later times stale', async () => {
  const schedule = scheduledIn(3 * 1440, zone)
  const { id, tag } = await scheduled(1, schedule)
  const draft = await ann().ask('POST', '/api/campaigns', {
    name: 'Later',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId,
    variables: firstName,
    schedule,
  })
  const { body: review } = await reviewDraft(ann(), draft)
  await keepZone('Asia/Kolkata')
  try {
    const moved = await read(id)
    expect(moved).toMatchObject({ schedule, scheduledFor: momentOf(schedule, 'Asia/Kolkata')?.toISOString() })
    const stored = await campaigns().findOne({ _id: oid(id) })
    expect(stored?.['nextAt'].toISOString()).toBe(moved.scheduledFor)
    const launch = { preflightId: review.id, accepted: [] }
    const refused = await ann().call('POST', `/api/campaigns/${draft.id}/launch`, launch)
    expect(refused.body).toMatchObject({ code: 'preflight_stale', message: expect.stringContaining('time zone') })
  } finally {
    await keepZone(zone)
  }
  expect((await read(id)).scheduledFor).toBe(momentOf(schedule, zone)?.toISOString())
  await change(id, 'cancel')
})

test('rules of the zone that have changed since count at the start', async () => {
  const schedule = scheduledIn(120, zone)
  const { id } = await scheduled(1, schedule)
  await campaigns().updateOne({ _id: oid(id) }, { $set: { scheduledFor: new Date(), nextAt: new Date() } })
  await eventually(async () =>
    expect(await read(id)).toMatchObject({
      status: 'scheduled',
      scheduledFor: momentOf(schedule, zone)?.toISOString(),
    }),
  )
  // It is due by the clock as well.
  const now = wallTimeOf(new Date(), zone)
  await campaigns().updateOne({ _id: oid(id) }, { $set: { schedule: now, nextAt: new Date() } })
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 1 } }))
})
