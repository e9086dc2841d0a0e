import { expect, onTestFinished, test } from 'vitest'
import { customer, settled, start, startReceiver, startSimulator, statusesOf } from '../testing/start-simulator.ts'

const subscribe = async (
  graph: Awaited<ReturnType<typeof start>>['graph'],
  id: string,
  { url, verifyToken }: { url: string; verifyToken: string },
) => graph('POST', id, { webhook_configuration: { override_callback_uri: url, verify_token: verifyToken } })

test('a number whose token has expired is refused everything, and the token is told to be invalid', async () => {
  const { graph, send, sim, simulatedNumber } = await start()
  const { body: other } = await sim('/numbers', { name: 'Another', accountId: simulatedNumber.accountId })
  await sim('/token/expire', { phone_number_id: simulatedNumber.phoneNumberId })
  expect((await graph('GET', `debug_token?input_token=${simulatedNumber.accessToken}`)).body.error).toMatchObject({
    code: 190,
    error_subcode: 463,
  })
  expect((await send(customer)).status).toBe(401)
  const asked = await graph(
    'GET',
    `debug_token?input_token=${simulatedNumber.accessToken}`,
    undefined,
    other.accessToken,
  )
  expect(asked.body.data).toMatchObject({ is_valid: false, error: { code: 190, subcode: 463 } })
  const { body } = await sim('/state')
  const expired = body.numbers.map(({ id, tokenExpired }: { id: string; tokenExpired: boolean }) => [id, tokenExpired])
  expect(expired).toEqual([
    [simulatedNumber.phoneNumberId, true],
    [other.phoneNumberId, false],
  ])
  await sim('/token/restore', { phone_number_id: simulatedNumber.phoneNumberId })
  expect((await graph('GET', simulatedNumber.phoneNumberId)).status).toBe(200)
})

test('a reset puts back what was made to go wrong, and the business hears of quality and limit', async () => {
  const { hear, sim, send, receiver, simulator, simulatedNumber } = await start()
  const before = (await sim('/state')).body
  await hear(customer)
  await sim('/limits', { pairDepth: 1, managementPerHour: 1, standardPerSecond: 1 })
  await sim('/ladder', { deliveredMs: 3600_000, dropEvery: 1, refuseClosedWindow: true })
  await sim('/wa-id', { brazil: false, numbers: { '4915100000001': '4915100000002' } })
  await sim('/webhooks', { copies: 2, oldBySeconds: 60, unknown: true, entries: 2 })
  await sim('/inject', { trigger: { kind: 'always' }, effect: { kind: 'error', code: 131016 } })
  await sim('/token/expire', { token: simulatedNumber.accessToken })
  await sim('/quality', { phone_number_id: simulatedNumber.phoneNumberId, quality: 'RED' })
  await sim('/capability', { account_id: simulatedNumber.accountId, tier: 'TIER_250' })
  const { id } = simulator.world.customerOf(customer)
  await sim(`/customers/${id}`, { blocks: [simulatedNumber.phoneNumberId], online: false }, 'PATCH')
  // A change that waits is sent by the settings of when it leaves: once, when the reset comes first.
  const fields = () => receiver.changes().map(({ field }) => field)
  const qualities = () => fields().filter((field) => field === 'phone_number_quality_update')
  await settled(() => expect(qualities()).toHaveLength(2))

  await sim('/reset', {})
  const after = (await sim('/state')).body
  for (const name of ['limits', 'webhooks', 'injections', 'waIds', 'numbers', 'accounts'])
    expect({ [name]: after[name] }).toEqual({ [name]: before[name] })
  expect(after.ladder).toMatchObject({ sentMs: 60, dropEvery: 0, refuseClosedWindow: false })
  expect(after.customers[0]).toMatchObject({ blocks: [], online: true })
  const { status, body } = await send(customer)
  expect(status).toBe(200)
  await settled(() => {
    expect(qualities()).toHaveLength(3)
    expect(fields().at(-1)).toBe('messages')
    expect(statusesOf(receiver, body.messages[0].id)).toContain('sent')
  })
})

test('a customer is known by another number than the one that was dialled, as the rules say', async () => {
  const { send, sim } = await start()
  const waIdOf = async (to: string) => (await send(to)).body.contacts[0].wa_id
  expect(await waIdOf('5511987654321')).toBe('551187654321')
  expect(await waIdOf('5215512345678')).toBe('525512345678')
  expect(await waIdOf('5491123456789')).toBe('541123456789')
  await sim('/wa-id', { brazil: false, mexico: false, numbers: { '4915100000001': '4915100000002' } })
  expect(await waIdOf('5511987654321')).toBe('5511987654321')
  expect(await waIdOf('5215512345678')).toBe('5215512345678')
  expect(await waIdOf('+49 151 00000001')).toBe('4915100000002')
})

test.each([
  ['swapped', { swap: true }, ['delivered', 'sent', 'read']],
  ['without delivered', { skipDelivered: true }, ['sent', 'read']],
  ['twice', { copies: 2 }, ['sent', 'sent', 'delivered', 'delivered', 'read', 'read']],
  ['every second one lost', { dropEvery: 2 }, ['sent', 'read']],
])('statuses are told %s', async (_what, settings, expected) => {
  const { hear, send, sim, receiver, simulator } = await start()
  await hear(customer)
  await sim('/ladder', settings)
  const { id } = (await send(customer)).body.messages[0]
  await settled(() => expect(statusesOf(receiver, id).toSorted()).toEqual(expected.toSorted()))
  // Deliveries that are under way together arrive in any order; they were sent in this one.
  const sent = [...simulator.world.deliveries.values()].map(({ body }) => JSON.parse(body))
  const changes = () => sent.flatMap(({ entry }) => entry.flatMap((one: { changes: [] }) => one.changes))
  expect(statusesOf({ changes }, id)).toEqual(expected)
})

test('the first status can be there before the send is answered; contacts and conversation are told or not', async () => {
  const { hear, send, sim, receiver } = await start()
  await hear(customer)
  await sim('/ladder', { sentMs: 600_000, beforeAnswer: true, contacts: false, conversation: true })
  const { id } = (await send(customer)).body.messages[0]
  expect(statusesOf(receiver, id)).toEqual(['sent'])
  const { value } = receiver.changes().find((change) => change.value.statuses) ?? { value: {} }
  expect(value).not.toHaveProperty('contacts')
  expect(value).toMatchObject({
    statuses: [
      {
        conversation: { id: expect.any(String), origin: { type: 'service' }, expiration_timestamp: expect.any(String) },
      },
    ],
  })
})

test('webhooks can be old, large, of several entries, and hold what nobody knows yet', async () => {
  const { hear, sim, receiver } = await start()
  await sim('/webhooks', {
    batchMs: 50,
    entries: 2,
    oldBySeconds: 86_400,
    paddingBytes: 3_000_000,
    unknown: true,
    escaped: false,
  })
  const now = Date.now() / 1000
  await Promise.all([hear(customer, 'Olá'), hear(customer, 'one/two'), hear(customer, 'three')])
  await settled(() => expect(receiver.received.length).toBeGreaterThan(0))
  const body = receiver.received[0]?.body ?? ''
  expect(Buffer.byteLength(body)).toBeGreaterThanOrEqual(3_000_000)
  expect(body).toContain('"Olá"')
  expect(body).toContain('one/two')
  const { entry } = JSON.parse(body)
  expect(entry).toHaveLength(2)
  const changes = entry.flatMap((one: { changes: unknown[] }) => one.changes)
  expect(changes.at(-1)).toMatchObject({ field: 'future_updates' })
  const [message] = changes[0].value.messages
  expect(message).toHaveProperty('future_field')
  expect(Math.abs(Number(message.timestamp) - (now - 86_400))).toBeLessThan(60)
})

test('what waits while webhooks are paused is delivered by the next process where this one is killed', async () => {
  const receiver = await startReceiver()
  onTestFinished(async () => void (await receiver.close()))
  const first = await startSimulator({ receiver })
  await first.sim('/webhooks', { paused: true })
  await first.hear(customer, 'said while nothing was sent')
  await first.hear(customer, 'and this too')
  first.simulator.deliveries.stop()
  first.simulator.clock.stop()
  expect(receiver.received).toHaveLength(0)

  const second = await startSimulator({ folder: first.folder })
  onTestFinished(second.stop)
  await settled(() => expect(receiver.received).toHaveLength(2))
  expect(receiver.received[0]?.body).toContain('said while nothing was sent')
  expect(second.simulator.world.waiting.size).toBe(0)
})

test('a number may have an address of its own for webhooks, before that of the account', async () => {
  const { graph, hear, sim, receiver, simulatedNumber } = await start()
  const ownReceiver = await startReceiver()
  onTestFinished(async () => void (await ownReceiver.close()))
  expect(
    (await subscribe(graph, simulatedNumber.phoneNumberId, { ...ownReceiver, verifyToken: 'wrong' })).body.error
      .message,
  ).toContain('403')
  expect((await subscribe(graph, simulatedNumber.phoneNumberId, ownReceiver)).status).toBe(200)
  expect((await graph('GET', simulatedNumber.phoneNumberId)).body.webhook_configuration).toEqual({
    whatsapp_business_account: receiver.url,
    phone_number: ownReceiver.url,
  })
  await hear(customer)
  await settled(() => expect(ownReceiver.received).toHaveLength(1))
  expect(receiver.received).toHaveLength(0)
  await graph('POST', simulatedNumber.phoneNumberId, { webhook_configuration: { override_callback_uri: '' } })
  await hear(customer)
  await settled(() => expect(receiver.received).toHaveLength(1))
  expect((await sim('/webhook/verify', { account_id: simulatedNumber.accountId })).body).toEqual({
    url: receiver.url,
    problem: null,
  })
})
