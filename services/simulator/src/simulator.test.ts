import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startReceiver, startSimulator } from './testing/start-simulator.ts'

const customer = '919812345678'
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start(status?: () => number) {
  const receiver = await startReceiver(status ? { status } : {})
  const running = await startSimulator({ receiver })
  stops.push(running.stop, receiver.close)
  return { ...running, receiver }
}

const settled = (check: () => void) => vi.waitFor(check, { timeout: 20_000 })
const statusesOf = (
  { changes }: { changes: () => { value: { statuses?: { id: string; status: string }[] } }[] },
  id: string,
) =>
  changes().flatMap(({ value }) =>
    (value.statuses ?? []).filter((status) => status.id === id).map(({ status }) => status),
  )

describe('sending', () => {
  test('a message inside the window is accepted and climbs to read, told by signed webhooks', async () => {
    const { send, hear, receiver, place } = await start()
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
      const signature = createHmac('sha256', place.appSecret).update(bytes).digest('hex')
      expect(headers['x-hub-signature-256']).toBe(`sha256=${signature}`)
      expect(bytes).not.toMatch(/[^\x20-\x7e]/)
    }
    const sent = receiver.changes().flatMap(({ value }) => value.statuses ?? [])
    expect(sent[0]).toMatchObject({ biz_opaque_callback_data: 'our-id', recipient_id: customer })
  })

  test('free text outside the window is accepted and fails; a template goes', async () => {
    const { send, graph, place, receiver, simulator } = await start()
    const { body } = await send(customer)
    await settled(() => expect(statusesOf(receiver, body.messages[0].id)).toEqual(['failed']))
    expect(simulator.world.messages.get(body.messages[0].id)?.error).toBe(131047)
    await graph('POST', `${place.accountId}/message_templates`, {
      name: 'order_update',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hi {{1}}, your order is on its way.' }],
    })
    simulator.advance(3000)
    await settled(() =>
      expect(receiver.changes().map(({ field }) => field)).toContain('message_template_status_update'),
    )
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
    const { graph, place, sim } = await start()
    const body = { messaging_product: 'whatsapp', to: customer, type: 'text', text: { body: 'x' } }
    const path = `${place.phoneNumberId}/messages`
    expect((await graph('POST', path, body, 'nonsense')).body.error.code).toBe(190)
    const other = (await sim('/numbers', { name: 'Other' })).body
    expect((await graph('POST', path, body, other.accessToken)).body.error).toMatchObject({
      code: 100,
      error_subcode: 33,
    })
    await sim('/token/expire', { token: place.accessToken })
    const expired = await graph('POST', path, body)
    expect([expired.status, expired.body.error.code, expired.body.error.error_subcode]).toEqual([401, 190, 463])
    await sim('/token/restore', { token: place.accessToken })
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
})

describe('customers', () => {
  test('reply, reaction, edit, deletion and pressed buttons are told as the platform tells them', async () => {
    const { send, hear, sim, receiver } = await start()
    await hear(customer)
    const { body } = await send(customer, {
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Confirm?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
      },
    })
    const wamid = body.messages[0].id
    await sim('/press', { wamid, button: 'yes' })
    await sim('/react', { wamid, emoji: '👍' })
    const reply = await sim('/inbound', { from: customer, type: 'text', text: { body: 'Thanks' }, reply_to: wamid })
    await sim('/edit', { wamid: reply.body.id, body: 'Thank you' })
    await sim('/revoke', { wamid: reply.body.id })
    await settled(() => {
      const messages = receiver.changes().flatMap(({ value }) => value.messages ?? [])
      const of = (type: string) => messages.find((message) => message.type === type)
      expect(of('interactive')).toMatchObject({
        context: { id: wamid },
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
      })
      expect(of('reaction')).toMatchObject({ reaction: { message_id: wamid, emoji: '👍' } })
      expect(of('edit')).toMatchObject({
        edit: { original_message_id: reply.body.id, message: { text: { body: 'Thank you' } } },
      })
      expect(of('revoke')).toMatchObject({ revoke: { original_message_id: reply.body.id } })
    })
  })

  test('a person with a username is told without a phone number and reached by user id', async () => {
    const { graph, place, sim, receiver } = await start()
    const from = '919812000666'
    const { body: message } = await sim('/inbound', { from, type: 'text', text: { body: 'Hi' } })
    await settled(() => expect(receiver.changes()).toHaveLength(1))
    const [told] = receiver.changes()[0]?.value.messages ?? []
    expect(told).toMatchObject({ from_user_id: message.customerId })
    expect(receiver.received[0]?.body).not.toContain(from)
    const { body } = await graph('POST', `${place.phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      recipient: message.customerId,
      type: 'text',
      text: { body: 'Hello' },
    })
    expect(body.contacts).toEqual([{ input: message.customerId, user_id: message.customerId }])
  })

  test('who stops offers gets no marketing, and the business hears of it', async () => {
    const { sim, receiver } = await start()
    await sim('/preference', { from: customer, value: 'stop' })
    await settled(() =>
      expect(receiver.changes()[0]).toMatchObject({
        field: 'user_preferences',
        value: { user_preferences: [{ wa_id: customer, category: 'marketing_messages', value: 'stop' }] },
      }),
    )
  })
})

describe('media', () => {
  test('a file goes up, is described with an address of five minutes, and comes down with the token only', async () => {
    const { app, place, graph, simulator } = await start()
    const boundary = 'parts'
    const payload = [
      `--${boundary}\r\ncontent-disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp`,
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nPNG!`,
      `--${boundary}--\r\n`,
    ].join('\r\n')
    const upload = await app.inject({
      method: 'POST',
      url: `/v26.0/${place.phoneNumberId}/media`,
      headers: {
        authorization: `Bearer ${place.accessToken}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      payload,
    })
    const { id } = upload.json()
    const { body } = await graph('GET', id)
    expect(body).toMatchObject({ mime_type: 'image/png', file_size: 4, id })
    const url = new URL(body.url)
    const read = (headers: Record<string, string>) => app.inject({ url: `${url.pathname}${url.search}`, headers })
    expect((await read({})).statusCode).toBe(401)
    expect((await read({ authorization: `Bearer ${place.accessToken}` })).body).toBe('PNG!')
    simulator.advance(6 * 60_000)
    expect((await read({ authorization: `Bearer ${place.accessToken}` })).statusCode).toBe(404)
    expect((await graph('GET', '999')).body.error).toMatchObject({ code: 100, error_subcode: 33 })
  })
})

describe('webhooks', () => {
  test('what is not answered with 200 is sent again until it is', async () => {
    let failures = 2
    const { hear, receiver, simulator } = await start(() => (failures-- > 0 ? 500 : 200))
    await hear(customer)
    await settled(() => expect(receiver.received.length).toBeGreaterThanOrEqual(2))
    await settled(() => {
      simulator.advance(5000)
      expect([...simulator.world.deliveries.values()].map(({ state }) => state)).toEqual(['delivered'])
    })
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(receiver.received).toHaveLength(3)
  })

  test('a callback that does not echo the challenge is not accepted', async () => {
    const { graph, place, receiver } = await start()
    const { body } = await graph('POST', `${place.accountId}/subscribed_apps`, {
      override_callback_uri: receiver.url,
      verify_token: 'another',
    })
    expect(body.error.message).toContain('it answered 403')
  })

  test('faults: a wrong signature, copies, a pause', async () => {
    const { hear, sim, receiver, place } = await start()
    await sim('/webhooks', { signature: 'wrong', copies: 3 })
    await hear(customer)
    await settled(() => expect(receiver.received).toHaveLength(3))
    const [{ headers, body }] = receiver.received as [{ headers: Record<string, string>; body: string }]
    const right = createHmac('sha256', place.appSecret).update(body).digest('hex')
    expect(headers['x-hub-signature-256']).not.toBe(`sha256=${right}`)
    await sim('/webhooks', { signature: 'right', copies: 1, paused: true })
    await hear(customer, 'while it is paused')
    await sim('/webhooks', { paused: false })
    await settled(() => expect(receiver.received).toHaveLength(4))
  })
})

test('a simulator that was killed knows what it had accepted and goes on with it', async () => {
  const receiver = await startReceiver()
  const first = await startSimulator({ receiver })
  stops.push(receiver.close)
  first.simulator.outbound.settings({ deliveredMs: 3600_000 })
  await first.hear(customer)
  const { body } = await first.send(customer)
  const { id } = body.messages[0]
  await settled(() => expect(first.simulator.world.messages.get(id)?.status).toBe('sent'))
  first.simulator.clock.stop()

  const second = await startSimulator({ folder: first.folder })
  stops.push(second.stop)
  expect(second.simulator.world.messages.get(id)?.status).toBe('sent')
  await settled(() => {
    second.simulator.advance(1000)
    expect(statusesOf(receiver, id)).toContain('delivered')
  })
})

describe('templates', () => {
  test.each([
    ['reject_me', 'REJECTED'],
    ['greeting', 'APPROVED'],
    ['pause_me', 'PAUSED'],
  ])('%s ends %s', async (name, status) => {
    const { graph, place, simulator } = await start()
    const { body } = await graph('POST', `${place.accountId}/message_templates`, {
      name,
      language: 'en',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Hello there' }],
    })
    expect(body.status).toBe('PENDING')
    simulator.advance(2000)
    await settled(() => expect(simulator.world.templates.get(body.id)?.status).toBe(status))
  })

  test('a body that begins with a variable is refused at once; names are unique in a language; lists have pages', async () => {
    const { graph, place } = await start()
    const create = (name: string, text: string) =>
      graph('POST', `${place.accountId}/message_templates`, {
        name,
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text }],
      })
    expect((await create('a', '{{1}} is here')).body.error.error_subcode).toBe(2388299)
    for (const name of ['one', 'two', 'three']) await create(name, 'Your order is ready')
    expect((await create('one', 'Again')).body.error.error_subcode).toBe(2388024)
    const page = (await graph('GET', `${place.accountId}/message_templates?limit=2`)).body
    expect(page.data).toHaveLength(2)
    const next = new URL(page.paging.next)
    const last = (await graph('GET', `${next.pathname.replace('/v26.0/', '')}${next.search}`)).body
    expect(last.data.map(({ name }: { name: string }) => name)).toEqual(['three'])
    expect(last.paging.next).toBeUndefined()
  })
})
