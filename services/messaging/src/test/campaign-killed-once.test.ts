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
