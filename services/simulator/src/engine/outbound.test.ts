import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { customer, settled, start, statusesOf } from '../testing/start-simulator.ts'

test('a message inside the window is accepted and climbs to read, told by signed webhooks', async () => {
  const { send, hear, receiver, simulatedNumber } = await start()
  await hear(customer)
  const { status, body } = await send(`+${customer}`, {
    type: 'text',
    text: { body: 'Olá / 🤖' },
    biz_opaque_callback_data: 'our-id',
  })
  expect(status).toBe(200)
  expect(body.contacts).toEqual([{ input: `+${customer}`, wa_id: customer }])
  const { id } = body.messages[0]
  await settled(() => expect(statusesOf(receiver, id)).toEqual(['sent', 'delivered', 'read']))
  for (const { headers, body: bytes } of receiver.received) {
    const signature = createHmac('sha256', simulatedNumber.appSecret).update(bytes).digest('hex')
    expect(headers['x-hub-signature-256']).toBe(`sha256=${signature}`)
    expect(bytes).not.toMatch(/[^\x20-\x7e]/)
  }
  const sent = receiver.changes().flatMap(({ value }) => value.statuses ?? [])
  expect(sent[0]).toMatchObject({ biz_opaque_callback_data: 'our-id', recipient_id: customer })
})

test('free text outside the window is accepted and fails; a template goes', async () => {
  const { send, graph, simulatedNumber, receiver, simulator } = await start()
  const { body } = await send(customer)
  await settled(() => expect(statusesOf(receiver, body.messages[0].id)).toEqual(['failed']))
  expect(simulator.world.messages.get(body.messages[0].id)?.error).toBe(131047)
  await graph('POST', `${simulatedNumber.accountId}/message_templates`, {
    name: 'order_update',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hi {{1}}, your order is on its way.' }],
  })
  simulator.advance(3000)
  await settled(() => expect(receiver.changes().map(({ field }) => field)).toContain('message_template_status_update'))
  const template = {
    name: 'order_update',
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Sam' }] }],
  }
  const answer = await send(customer, { type: 'template', template })
  expect(answer.status).toBe(200)
  expect(simulator.world.messages.get(answer.body.messages[0].id)?.shown).toMatchObject({
    body: 'Hi Sam, your order is on its way.',
  })
  const wrong = await send(customer, { type: 'template', template: { ...template, components: [] } })
  expect(wrong.body.error).toMatchObject({
    code: 132000,
    error_data: {
      details: 'body: number of localizable_params (0) does not match the expected number of params (1)',
    },
  })
  const missing = await send(customer, { type: 'template', template: { ...template, language: { code: 'en' } } })
  expect([missing.status, missing.body.error.code]).toEqual([404, 132001])
})

test('the window closes a day after the last message of the customer', async () => {
  const { send, hear, simulator, receiver } = await start()
  await hear(customer)
  simulator.advance(25 * 3600_000)
  const { body } = await send(customer)
  await settled(() => expect(statusesOf(receiver, body.messages[0].id)).toEqual(['failed']))
})

test.each([
  [{ type: 'text' }, 100],
  [{ type: 'text', text: {} }, 131008],
  [{ type: 'text', text: { body: 'x'.repeat(4097) } }, 131009],
  [{ type: 'hologram', hologram: {} }, 131051],
  [{ type: 'image', image: { id: '1' } }, 100],
  [{ type: 'image', image: { id: '1', link: 'https://example.com/a.png' } }, 131009],
  [
    {
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Pick' },
        action: {
          button: 'Open',
          sections: [{ rows: Array.from({ length: 11 }, (_, id) => ({ id: `${id}`, title: `${id}` })) }],
        },
      },
    },
    131009,
  ],
])('%j is refused with %i', async (message, code) => {
  const { send } = await start()
  const { body } = await send(customer, message)
  expect(body.error.code).toBe(code)
  expect(body.error.fbtrace_id).toEqual(expect.any(String))
})

test('tokens: unknown, expired, of another account', async () => {
  const { graph, simulatedNumber, sim } = await start()
  const body = { messaging_product: 'whatsapp', to: customer, type: 'text', text: { body: 'x' } }
  const path = `${simulatedNumber.phoneNumberId}/messages`
  expect((await graph('POST', path, body, 'nonsense')).body.error.code).toBe(190)
  const other = (await sim('/numbers', { name: 'Other' })).body
  expect((await graph('POST', path, body, other.accessToken)).body.error).toMatchObject({
    code: 100,
    error_subcode: 33,
  })
  await sim('/token/expire', { token: simulatedNumber.accessToken })
  const expired = await graph('POST', path, body)
  expect([expired.status, expired.body.error.code, expired.body.error.error_subcode]).toEqual([401, 190, 463])
  await sim('/token/restore', { token: simulatedNumber.accessToken })
  expect((await graph('POST', path, body)).status).toBe(200)
})

test('limits of a number and of a pair refuse, and let go again with time', async () => {
  const { send, sim, simulator } = await start()
  await sim('/limits', { pairDepth: 2 })
  expect((await send(customer)).status).toBe(200)
  expect((await send(customer)).status).toBe(200)
  expect((await send(customer)).body.error.code).toBe(131056)
  simulator.advance(6000)
  expect((await send(customer)).status).toBe(200)
  await sim('/limits', { pairDepth: null, standardPerSecond: 1 })
  await send('919800000001')
  const refused = await send('919800000002')
  expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([429, 130429, '1'])
})

test('a number that is also in the WhatsApp Business app says so, and has a limit of its own', async () => {
  const { graph, sim } = await start()
  const { body: number } = await sim('/numbers', { onBusinessApp: true })
  const described = await graph(
    'GET',
    `${number.phoneNumberId}?fields=is_on_biz_app,platform_type`,
    undefined,
    number.accessToken,
  )
  expect(described.body).toMatchObject({ is_on_biz_app: true, platform_type: 'CLOUD_API' })
  expect((await sim('/limits', {})).body).toMatchObject({ standardPerSecond: 80, onAppPerSecond: 20 })
  await sim('/limits', { onAppPerSecond: 1 })
  const send = async (to: string) => {
    const body = { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Hi' } }
    return (await graph('POST', `${number.phoneNumberId}/messages`, body, number.accessToken)).body.error?.code
  }
  expect([await send('919800000001'), await send('919800000002')]).toEqual([undefined, 130429])
})

test.each([
  ['919812131026', 131026],
  ['919812131049', 131049],
  ['919812131050', 131050],
])('%s fails with %i', async (to, code) => {
  const { send, hear, simulator, receiver } = await start()
  await hear(to)
  const { body } = await send(to)
  await settled(() => expect(statusesOf(receiver, body.messages[0].id)).toEqual(['failed']))
  expect(simulator.world.messages.get(body.messages[0].id)?.error).toBe(code)
})

test('recipients with special digits: refused twice, no JSON, statuses twice, out of order, echo', async () => {
  const { send, hear, receiver } = await start()
  expect((await send('919812429001')).status).toBe(429)
  expect((await send('919812429001')).status).toBe(429)
  expect((await send('919812429001')).status).toBe(200)
  await hear('919812000222')
  const swapped = await send('919812000222')
  await settled(() => expect(statusesOf(receiver, swapped.body.messages[0].id)).toHaveLength(3))
  expect(statusesOf(receiver, swapped.body.messages[0].id)[0]).toBe('delivered')
  await hear('919812000111')
  const doubled = await send('919812000111')
  await settled(() =>
    expect(statusesOf(receiver, doubled.body.messages[0].id).filter((s) => s === 'delivered')).toHaveLength(2),
  )
})

test('a text that is too long once it is filled is refused, however short its values are', async () => {
  const { send, graph, simulatedNumber, receiver, simulator } = await start()
  await graph('POST', `${simulatedNumber.accountId}/message_templates`, {
    name: 'long_text',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: `${'h'.repeat(40)} {{1}}` },
      { type: 'BODY', text: `Hi {{1}}, ${'please read this '.repeat(58)}.` },
    ],
  })
  simulator.advance(3000)
  await settled(() => expect(receiver.changes().map(({ field }) => field)).toContain('message_template_status_update'))
  const filled = (header: string, body: string) =>
    send(customer, {
      type: 'template',
      template: {
        name: 'long_text',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'text', text: header }] },
          { type: 'body', parameters: [{ type: 'text', text: body }] },
        ],
      },
    })
  expect((await filled('x'.repeat(19), 'Sam')).status).toBe(200)
  expect((await filled('x'.repeat(20), 'Sam')).body.error.code).toBe(132005)
  expect((await filled('x', 'y'.repeat(40))).body.error.code).toBe(132005)
})
