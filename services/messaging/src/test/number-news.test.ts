import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, sendWebhook } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const records = (name: string, filter: object) =>
  parley.database.connection
    .collection(name)
    .find({ ...parley.inWorkspace, ...filter })
    .toArray()

test('what the platform tells of a number is in its record, each thing once', async () => {
  const { simulator, place, number, scope, services } = parley
  const now = () => services.numbers.read(scope, number.id)
  await simulator.call('/quality', { phone_number_id: place.phoneNumberId, quality: 'RED' })
  await simulator.call('/capability', { account_id: place.accountId, tier: 'TIER_10K' })
  const unheard = { field: 'some_future_field', value: { of: 'no meaning' } }
  await sendWebhook(parley, unheard)
  await sendWebhook(parley, unheard)
  await sendWebhook(parley, {
    field: 'messages',
    value: { ...headOf(parley), errors: [{ code: 130429, title: 'Rate limit hit' }] },
  })
  await sendWebhook(parley, {
    field: 'account_update',
    value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
  })
  await eventually(async () =>
    expect(await now()).toMatchObject({
      quality: 'low',
      messagingLimit: 10_000,
      unknownFields: [{ field: 'some_future_field', count: 1 }],
      lastError: { code: 130429 },
      stopped: { code: 131031 },
    }),
  )
  const seen = await services.numberActivity.of(scope)
  expect(seen.get(number.id)?.lastEventAt).toBeInstanceOf(Date)
  await sendWebhook(parley, {
    field: 'account_update',
    value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
  })
  await eventually(async () => expect((await now())?.stopped).toBeUndefined())
  expect(await records('events', { type: 'number.changed' })).not.toEqual([])
  expect(await records('rawEvents', { deadAt: { $exists: true } })).toEqual([])
})

test('a check of a number does not undo a stop that comes while it is made', async () => {
  const { number, scope, services, database } = parley
  const numbers = database.connection.collection('numbers')
  for (let round = 0; round < 10; round += 1) {
    // The check has something to write.
    await numbers.updateOne(
      { _id: new Types.ObjectId(number.id) },
      { $set: { quality: 'medium' }, $unset: { stopped: 1 } },
    )
    const checking = services.numberHealth.check({ workspaceId: scope.workspaceId, id: number.id })
    await services.numbers.stop(scope, number.id, 131031, 'The account was disabled.')
    await checking
    expect(await services.numbers.read(scope, number.id)).toMatchObject({
      stopped: { code: 131031 },
      status: 'disconnected',
    })
  }
  await numbers.updateOne(
    { _id: new Types.ObjectId(number.id) },
    { $set: { status: 'active' }, $unset: { stopped: 1 } },
  )
})
