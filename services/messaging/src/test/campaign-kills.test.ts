import { setTimeout as wait } from 'node:timers/promises'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { AppError } from '@parley/service-kit/core/errors'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { patiently, startKillable } from './killable-campaign.ts'

/** The long form is `KILLS=50 RECIPIENTS=10000`. */
const kills = Number(process.env['KILLS'] ?? 3)
const recipients = Number(process.env['RECIPIENTS'] ?? 1000)
/** Longer than what a worker has claimed is its own. `STANDSTILL_SECONDS=120` is the long form. */
const standstillMs = Number(process.env['STANDSTILL_SECONDS'] ?? 65) * 1000

test.each([
  ['everybody by the clock of the workspace', []],
  ['each by the clock of their own zone', ['Asia/Tokyo', 'Asia/Kolkata', 'Asia/Seoul']],
])(
  'the worker is killed again and again, %s: nobody gets the campaign twice, nobody is left out, and the counts are the rows',
  async (_name, zones: string[]) => {
    const { services, ctx, sent, people, rows, fieldsFor, ready, read, kill } = await startKillable(400)
    if (zones.length === 0) await people('all', recipients, 919_700_000_000)
    const shares = zones.map((_, index) => Math.floor((recipients * (index + 1)) / zones.length))
    for (const [index, zone] of zones.entries()) {
      const before = shares[index - 1] ?? 0
      await people('all', (shares[index] ?? 0) - before, 919_700_000_000 + before, zone)
    }
    // Sending hours are open in all of them.
    const time = (hours: number) => wallTimeOf(new Date(Date.now() + hours * 3_600_000), 'Asia/Tokyo').time
    const hours = { zone: 'UTC', opens: time(-6), closes: time(6), version: 0 }
    await services.sendingHours.update(ctx, { ...hours, limited: zones.length > 0 })
    const { id, version } = await services.campaignDrafts.create(ctx, fieldsFor('all'))
    await services.campaignReviews.start(ctx, id, version)
    await services.launchCampaign(ctx, id, { preflightId: (await ready(id)).id, accepted: [] })
    // A kill takes what was on its way with it: what leaves is fewer each time.
    const step = recipients / (kills * 1.3 + 2)
    for (let count = 0; count < kills; count += 1) {
      const before = (await sent()).length
      const wanted = Math.min(before + step, recipients - 200)
      await patiently(async () => expect((await sent()).length).toBeGreaterThanOrEqual(wanted))
      kill()
    }

    // Messages that were on their way at a kill end as uncertain once their lease has, or by their status.
    const finished = await patiently(async () => {
      const campaign = await read(id)
      expect(campaign).toMatchObject({ status: 'completed', counts: { queued: 0 } })
      return campaign
    })
    const calls = await sent()
    expect(new Set(calls).size).toBe(calls.length)
    expect(await rows(id)).toHaveLength(recipients)
    expect(new Set((await rows(id)).map((row) => row['zone'])).size).toBe(zones.length || 1)
    expect(finished.counts.audience).toBe(recipients)
    const reached = new Set(calls)
    const isSent = (state: string) => ['sent', 'delivered', 'read'].includes(state)
    await patiently(async () => {
      const wrong = (await rows(id)).filter(({ _id, state }) => isSent(state) !== reached.has(String(_id)))
      expect(wrong.map(({ state }) => state).filter((state) => state !== 'uncertain')).toEqual([])
    })
    await patiently(async () => {
      const states = (await rows(id)).map(({ state }) => state)
      const { counts } = await read(id)
      const uncertain = states.filter((state) => state === 'uncertain').length
      expect(counts).toMatchObject({ sent: states.filter(isSent).length, uncertain, failed: 0, queued: 0 })
    })
  },
  900_000,
)

test('the worker is killed while it writes a review down, and while it deletes the rows of an earlier one: each contact is there once', async () => {
  const { services, connection, ctx, people, rows, fieldsFor, ready, kill } = await startKillable(100)
  const [many, few] = [5 * recipients, 600]
  await people('many', many, 919_710_000_000)
  await people('few', few, 919_720_000_000)
  const { id, version } = await services.campaignDrafts.create(ctx, fieldsFor('many'))
  const frozen = async () =>
    (await connection.collection('campaigns').findOne({ _id: new Types.ObjectId(id) }))?.['frozen']
  await services.campaignReviews.start(ctx, id, version)
  for (let count = 0, seen = 0; count < kills; count += 1) {
    seen = await patiently(async () => {
      const { rows: written, done } = await frozen()
      expect(done || written > seen).toBe(true)
      return written
    })
    kill()
  }
  expect(await ready(id)).toMatchObject({ counts: { audience: many, recipients: many } })
  const everybody = await rows(id)
  expect(everybody.map(({ n }) => n)).toEqual(Array.from({ length: many }, (_, n) => n))
  expect(new Set(everybody.map(({ contactId }) => String(contactId))).size).toBe(many)

  const again = await services.campaignDrafts.save(ctx, id, { ...fieldsFor('few'), version })
  await services.campaignReviews.start(ctx, id, again.version)
  await patiently(async () => expect((await rows(id)).length).toBeLessThan(many))
  kill()
  const review = await ready(id)
  expect(review).toMatchObject({ counts: { audience: few, recipients: few } })
  const chosen = await rows(id)
  expect(chosen.map(({ n }) => n)).toEqual(Array.from({ length: few }, (_, n) => n))
}, 900_000)

test('the worker is killed while a campaign is paused and resumed: nobody twice, nobody left out', async () => {
  const { services, ctx, sent, people, rows, fieldsFor, ready, read, kill } = await startKillable(100)
  await people('few', Math.max(600, kills * 150), 919_730_000_000)
  const { id, version } = await services.campaignDrafts.create(ctx, fieldsFor('few'))
  await services.campaignReviews.start(ctx, id, version)
  const review = await ready(id)
  const chosen = await rows(id)
  await services.launchCampaign(ctx, id, { preflightId: review.id, accepted: [] })
  const answers: string[] = []
  /** A killed process's locks last until the database ends its transaction; until then callers are asked to try again. */
  const change = async (action: 'pause' | 'resume'): Promise<string> => {
    try {
      return (await services.campaignChanges.change(ctx, id, { action })).status
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service_unavailable')) throw error
      await wait(1000)
      return change(action)
    }
  }
  for (let count = 0; count < kills; count += 1) {
    const before = (await sent()).length
    await patiently(async () => expect((await sent()).length).toBeGreaterThan(before))
    for (const [index, action] of (['pause', 'resume'] as const).entries()) {
      const changing = change(action)
      if (count % 2 === index) kill()
      answers.push(await changing)
    }
  }
  expect(answers).toEqual(Array.from({ length: kills }, () => ['paused', 'active']).flat())
  await patiently(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { queued: 0 } }))
  const calls = await sent()
  expect(new Set(calls).size).toBe(calls.length)
  const ended = await rows(id)
  expect(ended.map(({ _id }) => String(_id))).toEqual(chosen.map(({ _id }) => String(_id)))
  // A recipient without a send was being sent to at a kill: whether it had left cannot be known.
  const left = ended.filter(({ _id }) => !calls.includes(String(_id)))
  expect(left.filter(({ state }) => state !== 'uncertain')).toEqual([])
}, 900_000)

test('the worker stands still for longer than its claims hold, and goes on: nobody twice, nobody left out', async () => {
  const { services, ctx, sent, people, rows, fieldsFor, ready, read, signal } = await startKillable(400)
  await people('all', recipients, 919_740_000_000)
  const { id, version } = await services.campaignDrafts.create(ctx, fieldsFor('all'))
  await services.campaignReviews.start(ctx, id, version)
  await services.launchCampaign(ctx, id, { preflightId: (await ready(id)).id, accepted: [] })
  await patiently(async () => expect((await sent()).length).toBeGreaterThan(recipients / 10))
  signal('SIGSTOP')
  await wait(standstillMs)
  const before = (await sent()).length
  expect(before).toBeLessThan(recipients)
  signal('SIGCONT')
  await patiently(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { queued: 0 } }))
  const calls = await sent()
  expect(calls.length).toBeGreaterThan(before)
  expect(new Set(calls).size).toBe(calls.length)
  // Messages that reached WhatsApp are known by their status in the end.
  await patiently(async () => {
    const missed = (await rows(id)).filter(({ _id }) => !calls.includes(String(_id)))
    expect(missed.filter(({ state }) => state !== 'uncertain')).toEqual([])
    expect((await read(id)).counts).toMatchObject({
      sent: calls.length,
      uncertain: missed.length,
      audience: recipients,
    })
  })
}, 900_000)
