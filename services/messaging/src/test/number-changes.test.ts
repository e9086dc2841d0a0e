import { expectIndexed } from '@parley/service-kit/testing/query-plans'
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
  const { simulator, simulatedNumber, number, scope, services } = parley
  const now = () => services.numbers.read(scope, number.id)
  await simulator.call('/quality', { phone_number_id: simulatedNumber.phoneNumberId, quality: 'RED' })
  // It reports the limit of that time, and webhooks may overtake each other.
  await eventually(async () => expect(await now()).toMatchObject({ quality: 'low' }))
  await simulator.call('/capability', { account_id: simulatedNumber.accountId, tier: 'TIER_10K' })
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
  await eventually(async () => {
    const seen = await services.numberActivity.of(scope)
    expect(seen.get(number.id)?.lastEventAt).toBeInstanceOf(Date)
  })
  await sendWebhook(parley, {
    field: 'account_update',
    value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
  })
  await eventually(async () => expect((await now())?.stopped).toBeUndefined())
  expect(await records('events', { type: 'number.changed' })).not.toEqual([])
  expect(await records('rawEvents', { deadAt: { $exists: true } })).toEqual([])
})

const bellOf = async () => (await parley.signIn().ask('GET', '/api/notifications?limit=100')).items
const eventsOf = async () => (await parley.signIn().ask('GET', `/api/numbers/${parley.number.id}/events`)).items
const titlesOf = (items: { title: string }[]) => items.map(({ title }) => title)

test('a change that WhatsApp tells of a number is told once, however often and by whatever way it comes', async () => {
  const { simulator, simulatedNumber, number, scope, services } = parley
  const check = () => services.numberHealth.check({ workspaceId: scope.workspaceId, id: number.id })
  const aboutNumber = async () =>
    (await bellOf()).filter(({ title }: { title: string }) => /quality|customers|token|restricted/.test(title))
  await simulator.call('/quality', { phone_number_id: simulatedNumber.phoneNumberId, quality: 'GREEN' })
  await check()
  await simulator.call('/quality', { phone_number_id: simulatedNumber.phoneNumberId, quality: 'RED' })
  await eventually(async () => expect(await services.numbers.read(scope, number.id)).toMatchObject({ quality: 'low' }))
  await simulator.call('/capability', { account_id: simulatedNumber.accountId, tier: 'TIER_250' })
  await check()
  await simulator.call('/quality', { phone_number_id: simulatedNumber.phoneNumberId, quality: 'RED' })
  const restricted = {
    field: 'account_update',
    value: {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: '1767225600' }],
    },
  }
  await sendWebhook(parley, restricted)
  await sendWebhook(parley, restricted)
  await eventually(async () =>
    expect(titlesOf(await aboutNumber()).sort()).toEqual(
      [
        // It was rated low before, on the same day.
        'Test Shop has low quality now',
        'Test Shop has high quality again',
        'Test Shop may write to more customers',
        'Test Shop may write to fewer customers',
        'Test Shop: WhatsApp has restricted the account',
      ].sort(),
    ),
  )
  for (const { object } of await aboutNumber()) expect(object).toEqual({ kind: 'number_health', id: number.id })

  const shown = await eventsOf()
  expect(titlesOf(shown)).toContain('WhatsApp has restricted the account')
  expect(shown).toContainEqual(
    expect.objectContaining({
      title: 'WhatsApp has restricted the account',
      severity: 'error',
      body: 'Templates and campaigns cannot be sent until Jan 1, 2026.',
    }),
  )
  await expectIndexed(parley.database.connection, eventsOf)
})

test('broken rules, a ban to come and a verdict on the name are told once each', async () => {
  const { number, scope, services, database } = parley
  const values = [
    { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'May 12, 2026' } },
  ]
  for (const value of [...values, ...values]) await sendWebhook(parley, { field: 'account_update', value })
  await database.connection
    .collection('numbers')
    .updateOne({ _id: new Types.ObjectId(number.id) }, { $set: { nameStatus: 'declined' } })
  for (let time = 0; time < 2; time += 1)
    await services.numberHealth.check({ workspaceId: scope.workspaceId, id: number.id })
  const expected = [
    ['Test Shop: WhatsApp says that the account has broken its rules', /^Adult\. Check WhatsApp Manager/],
    ['Test Shop: WhatsApp is going to disable the account', /^That happens on May 12, 2026\. /],
    ['Test Shop has an approved display name', /^Customers see the name/],
  ] as const
  await eventually(async () => {
    const items: { title: string; body: string; object: object }[] = await bellOf()
    for (const [title, body] of expected)
      expect(items.filter((item) => item.title === title)).toEqual([
        expect.objectContaining({
          body: expect.stringMatching(body),
          object: { kind: 'number_health', id: number.id },
        }),
      ])
  })
})

test('what WhatsApp tells of another number of the account, or another workspace’s, is not shown', async () => {
  const tierChange = (event: string, displayNumber: string) => ({
    field: 'phone_number_quality_update',
    value: { display_phone_number: displayNumber, event },
  })
  await sendWebhook(parley, tierChange('UPGRADE', '19990001111'))
  await sendWebhook(parley, tierChange('DOWNGRADE', parley.number.phoneNumber.replace(/\D/g, '')))
  await eventually(async () => expect(titlesOf(await eventsOf())).toContain('The messaging limit is lower'))
  expect(titlesOf(await eventsOf())).not.toContain('The messaging limit is higher')
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await eve.call('GET', `/api/numbers/${parley.number.id}/events`)).status).toBe(404)
})

test('a token that ends within a week is told once, and the next one by itself', async () => {
  const { simulator, simulatedNumber, number, scope, services } = parley
  const remindersAfter = async (days: number) => {
    await simulator.call('/token/expire', { phone_number_id: simulatedNumber.phoneNumberId, in_ms: days * 86_400_000 })
    for (let time = 0; time < 2; time += 1)
      await services.numberHealth.check({ workspaceId: scope.workspaceId, id: number.id })
    const reminders = (await bellOf()).filter(({ title }: { title: string }) => title.includes('access token'))
    expect(reminders.every(({ object }: { object: object }) => JSON.stringify(object).includes(number.id))).toBe(true)
    return reminders.length
  }
  expect(await remindersAfter(8)).toBe(0)
  expect(await remindersAfter(6)).toBe(1)
  expect(await remindersAfter(5)).toBe(2)
  await simulator.call('/token/restore', { phone_number_id: simulatedNumber.phoneNumberId })
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
