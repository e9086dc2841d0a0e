import { laneOf } from '@parley/service-kit/queue/lanes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, postSigned } from './webhook-fixtures.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

let parley: Parley
let neighbour: Parley
beforeAll(async () => {
  ;[parley, neighbour] = await Promise.all([joinMessaging(), joinMessaging()])
})
afterAll(() => Promise.all([parley.stop(), neighbour.stop()]))

const records = (of: Parley, name: string, filter = {}) =>
  of.database.connection
    .collection(name)
    .find({ ...of.inWorkspace, ...filter })
    .toArray()

const textOf = (id: string, from: string, body: string) => ({
  id,
  from,
  timestamp: '1767225600',
  type: 'text',
  text: { body },
})
const post = async (of: Parley, message: object) =>
  expect((await postSigned(of, JSON.stringify({ entry: [change(of, { messages: [message] })] }))).status).toBe(200)
const change = (of: Parley, value: object) => ({
  id: of.simulatedNumber.accountId,
  changes: [{ field: 'messages', value: { ...headOf(of), ...value } }],
})
/** A customer of a number whose work lies in this lane. */
const customerIn = (of: Parley, lane: number): string => {
  for (let count = 0; ; count += 1) {
    const from = `9198${String(count).padStart(8, '0')}`
    if (laneOf(`${of.simulatedNumber.phoneNumberId}/${from}`) === lane) return from
  }
}
/** Nests so deep that the database refuses the document: its limit is 200. */
const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

test('what the database refuses for good is set aside after three tries, and its lane goes on for every workspace', async () => {
  const db = parley.database.connection.db
  const lane = 7
  const refused = { collMod: 'messages', validator: { 'content.text': { $ne: 'Refused by the database' } } }
  await db?.command(refused)
  try {
    await post(parley, textOf('wamid.refused', customerIn(parley, lane), 'Refused by the database'))
    await post(parley, textOf('wamid.own', customerIn(parley, lane), 'Hi'))
    await post(neighbour, textOf('wamid.neighbour', customerIn(neighbour, lane), 'Hello'))
    await eventually(async () => {
      expect(await records(parley, 'messages', { waMessageId: 'wamid.own' })).toHaveLength(1)
      expect(await records(neighbour, 'messages', { waMessageId: 'wamid.neighbour' })).toHaveLength(1)
    })
    const later = {
      ...textOf('wamid.later', customerIn(parley, lane), 'Refused by the database'),
      timestamp: '1767225660',
    }
    await post(parley, later)
    for (const waMessageId of ['wamid.refused', 'wamid.later'])
      await eventually(async () =>
        expect(await records(parley, 'rawEvents', { waMessageId })).toMatchObject([
          { tries: 3, deadAt: expect.any(Date), error: expect.stringContaining('validation') },
        ]),
      )
    // Noted before the transaction that failed.
    expect(await records(parley, 'contacts')).toMatchObject([{ lastContactAt: new Date(1_767_225_660_000) }])
    expect(await records(parley, 'rawEvents', { lane: { $exists: true } })).toEqual([])
  } finally {
    await db?.command({ collMod: 'messages', validator: {} })
  }
})

test('of fields that nobody knows no more is kept than a record can hold', async () => {
  const from = customerIn(parley, 8)
  const unknown = {
    deep: nested(300),
    many: Array(1_500_000).fill(0),
    $set: 1,
    'dotted.name': 1,
    kept: { level: ['value'] },
    long: 'x'.repeat(5000),
  }
  const referral = { source_id: '4711', ...unknown }
  const item = { product_retailer_id: 'SKU-1', quantity: '2', item_price: '3.5', currency: 'EUR', ...unknown }
  const order = { catalog_id: '1', product_items: [item] }
  await post(parley, { ...textOf('wamid.referred', from, 'Hi'), referral })
  await post(parley, { id: 'wamid.order', from, timestamp: '1767225600', type: 'order', order })
  const edited = { original_message_id: 'wamid.referred', message: { type: 'order', order } }
  await post(parley, { id: 'wamid.edit', from, timestamp: '1767225601', type: 'edit', edit: edited })
  await post(parley, textOf('wamid.after', from, 'Still there?'))
  await eventually(async () =>
    expect(await records(parley, 'messages', { waMessageId: 'wamid.after' })).toHaveLength(1),
  )
  const kept = { kept: { level: ['value'] }, long: 'x'.repeat(2048) }
  const referred = await eventually(async () => {
    const [message] = await records(parley, 'messages', { waMessageId: 'wamid.referred', 'content.type': 'order' })
    expect(message).toBeDefined()
    return message
  })
  expect(referred?.['referral']).toMatchObject({ source_id: '4711', ...kept })
  const [message] = await records(parley, 'messages', { waMessageId: 'wamid.order' })
  expect(message?.['content'].items).toMatchObject([{ id: 'SKU-1', quantity: 2, ...kept }])
  expect(Object.keys(message?.['content'].items[0])).not.toContain('$set')
  expect(await records(parley, 'rawEvents', { deadAt: { $exists: true }, waMessageId: /referred|order|edit/ })).toEqual(
    [],
  )
})
