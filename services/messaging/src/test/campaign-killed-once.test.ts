import { expect, test } from 'vitest'
import { patiently, startKillable } from './killable-campaign.ts'

const recipients = 300

test('a worker that is killed while it sends leaves nobody out and reaches nobody twice', async () => {
  const { services, ctx, sent, people, rows, fieldsFor, ready, read, kill } = await startKillable(100)
  await people('all', recipients, 919_750_000_000)
  const { id, version } = await services.campaignDrafts.create(ctx, fieldsFor('all'))
  await services.campaignReviews.start(ctx, id, version)
  await services.launchCampaign(ctx, id, { preflightId: (await ready(id)).id, accepted: [] })
  await patiently(async () => expect((await sent()).length).toBeGreaterThan(20))
  kill()
  await patiently(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { queued: 0 } }))
  const calls = await sent()
  expect(new Set(calls).size).toBe(calls.length)
  const ended = await rows(id)
  expect(ended).toHaveLength(recipients)
  // A send that was in progress at the kill ends as uncertain: whether it had left cannot be known.
  const left = ended.filter(({ _id }) => !calls.includes(String(_id)))
  expect(left.filter(({ state }) => state !== 'uncertain')).toEqual([])
}, 900_000)

test.each([
  ['accepted messages and their rows', 'campaignRecipients', '_id'],
  ['rows and what follows from them', 'contacts', 'contactId'],
])(
  'a worker that is killed between %s leaves it to the next one, and each is settled once',
  async (_gap, name, field) => {
    const { services, connection, ctx, sent, people, rows, fieldsFor, ready, read, kill } = await startKillable(100)
    await people('all', recipients, 919_760_000_000)
    const { id, version } = await services.campaignDrafts.create(ctx, fieldsFor('all'))
    await services.campaignReviews.start(ctx, id, version)
    const review = await ready(id)
    await services.launchCampaign(ctx, id, { preflightId: review.id, accepted: [] })
    const chosen = (await rows(id)).slice(180, 184)
    await patiently(async () => expect((await rows(id))[190]).toMatchObject({ enqueued: true }))
    const ids = chosen.map(({ _id }) => _id)
    // The worker cannot write records that a transaction holds.
    const holding = await connection.startSession()
    holding.startTransaction()
    const held = { _id: { $in: chosen.map((row) => row[field]) } }
    await connection.collection(name).updateMany(held, { $set: { held: true } }, { session: holding })
    const left = await patiently(async () => {
      const found = await connection.collection('acceptances').findOne({ 'accepted.messageId': { $in: ids } })
      expect(found).not.toBeNull()
      const accepted = found?.['accepted'].map(({ messageId }: { messageId: object }) => messageId)
      const open = { _id: { $in: accepted }, 'dispatch.state': { $ne: 'accepted' } }
      expect(await connection.collection('messages').countDocuments(open)).toBe(0)
      return accepted
    })
    kill()
    await holding.abortTransaction()
    await patiently(async () => expect(await connection.collection('acceptances').countDocuments({})).toBe(0))
    await patiently(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { queued: 0 } }))
    const calls = await sent()
    expect(new Set(calls).size).toBe(calls.length)
    const states = (await rows(id)).filter(({ _id }) => left.some((one: object) => String(one) === String(_id)))
    expect(states.filter(({ state }) => !['sent', 'delivered', 'read'].includes(state))).toEqual([])
    const told = { recordId: { $in: left.map(String) }, version: 3 }
    expect(await connection.collection('events').countDocuments(told)).toBe(left.length)
  },
  900_000,
)
