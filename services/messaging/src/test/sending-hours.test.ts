import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { defaultSendingHours, waitUntil } from '@parley/contracts/campaigns/sending-hours'
import { Types } from 'mongoose'
import { expect, test, vi } from 'vitest'
import { addContacts, eventually } from './campaign-fixtures.ts'
import { closed, hoursPath, newTag, open, useStoppedMessaging } from './hours-fixtures.ts'

const { parley, templateId, owner, keepTo, createCampaign, change, read, round, inOutbox } =
  useStoppedMessaging(919_891_000_000)
vi.setConfig({ testTimeout: 240_000 })

test('the hours of a workspace are its own: read by all, changed by those who may, and never over somebody else’s change', async () => {
  const other = { workspaceId: new Types.ObjectId().toHexString() }
  const [ann, bob, agent] = [
    parley().signIn(other),
    parley().signIn(other),
    parley().signIn({ ...other, role: 'agent' }),
  ]
  expect((await agent.call('GET', hoursPath)).body).toEqual(defaultSendingHours)
  const hours = { limited: true, zone: 'Europe/Berlin', opens: '10:00', closes: '20:00' }
  expect((await agent.call('PUT', hoursPath, { ...hours, version: 0 })).status).toBe(403)
  const both = await Promise.all([ann, bob].map((member) => member.call('PUT', hoursPath, { ...hours, version: 0 })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 'stale_version', current: { ...hours, version: 1 } })
  expect((await ann.call('PUT', hoursPath, { ...hours, closes: '21:00', version: 1 })).body.version).toBe(2)
  for (const wrong of [{ opens: '24:00' }, { zone: 'Mars/Olympus' }, { closes: '' }])
    expect((await ann.call('PUT', hoursPath, { ...hours, ...wrong, version: 2 })).body.code).toBe('validation_failed')
  expect((await owner().call('GET', hoursPath)).body).not.toMatchObject(hours)
})

test('marketing waits outside of the hours, tells until when, and goes on by itself', async () => {
  const hours = await keepTo(closed())
  const id = await createCampaign()
  await round(id)
  const waits = await read(id)
  expect(waits).toMatchObject({ status: 'active', counts: { audience: 30, queued: 30 } })
  const inIndia = { ...hours, zone: 'Asia/Kolkata' }
  expect(waits.waitsUntil).toBe(waitUntil(inIndia, new Date())?.toISOString())
  expect(await inOutbox(id, 'queued')).toBe(0)
  await keepTo(open())
  const worker = await parley().startWorker()
  try {
    await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 30 } }))
    expect(await read(id)).not.toHaveProperty('waitsUntil')
  } finally {
    await worker.stop()
  }
})

test('hours that end meanwhile hold what lies in the outbox; whoever pauses, resumes or cancels meanwhile is heard', async () => {
  await keepTo(open())
  const id = await createCampaign()
  await round(id)
  expect(await inOutbox(id, 'queued')).toBe(30)
  await keepTo(closed())
  await round(id)
  expect([await inOutbox(id, 'queued'), await inOutbox(id, 'held')]).toEqual([0, 30])
  expect((await change(id, 'pause')).body).toMatchObject({ status: 'paused' })
  expect(await read(id)).not.toHaveProperty('waitsUntil')
  expect((await change(id, 'resume')).status).toBe(200)
  await round(id)
  expect(await inOutbox(id, 'held')).toBe(30)
  expect((await change(id, 'cancel')).body).toMatchObject({ status: 'cancelled', counts: { sent: 0 } })
})

test('the figures of a campaign that waits are those of its review; who opts out meanwhile gets nothing', async () => {
  await keepTo(closed())
  const tag = newTag()
  let phones = 919_881_000_000
  const add = (marketing: 'in' | 'out' | 'unknown', count: number) => {
    phones += 10_000
    const over = { optIn: { marketing, source: 'manual', ...(marketing !== 'unknown' && { at: new Date() }) } }
    return addContacts(parley().database.connection, parley().scope, { count, firstPhone: phones, tags: [tag], over })
  }
  const [agreed] = [await add('in', 4), await add('out', 3), await add('unknown', 2)]
  const audience = { kind: 'tags', tags: [tag] }
  const { body: review } = await owner().call('POST', '/api/campaigns/preview', { audience, templateId: templateId() })
  const excluded = { ...nobodyExcluded, optedOut: 3, noOptIn: 2 }
  expect(review).toEqual({ audience: 9, excluded, reachable: 4 })
  const id = await createCampaign({ audience })
  await round(id)
  await parley().services.recount.perform({ id: `${id}-0`, workspaceId: parley().scope.workspaceId })
  expect((await read(id)).counts).toMatchObject({ audience: 9, excluded, queued: 4 })
  const note = { category: 'marketing', value: 'out', note: 'Told us on the phone.' }
  expect((await owner().call('POST', `/api/contacts/${agreed?.[0]}/consent`, note)).status).toBe(201)
  await keepTo(open())
  const worker = await parley().startWorker()
  try {
    await eventually(async () =>
      expect(await read(id)).toMatchObject({
        status: 'completed',
        counts: { audience: 9, excluded: { ...excluded, optedOut: 4 }, sent: 3 },
      }),
    )
  } finally {
    await worker.stop()
  }
})

test('an exception is sent at any hour, and so is what is no marketing', async () => {
  await keepTo(closed())
  const exception = await createCampaign({ anyHour: true })
  await round(exception)
  expect(await inOutbox(exception, 'queued')).toBe(30)
  await change(exception, 'cancel')
  const { body: template } = await owner().call('GET', `/api/templates/${templateId()}`)
  expect(template.category).toBe('marketing')
  const templates = parley().database.connection.collection('templates')
  const categorised = (category: string) =>
    templates.updateOne({ _id: new Types.ObjectId(templateId()) }, { $set: { category } })
  await categorised('utility')
  try {
    const utility = await createCampaign()
    await round(utility)
    expect(await inOutbox(utility, 'queued')).toBe(30)
    await change(utility, 'cancel')
  } finally {
    await categorised('marketing')
  }
})
