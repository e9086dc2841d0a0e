import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { customer, settled, start, startReceiver, startSimulator, statusesOf } from './testing/start-simulator.ts'

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
    const { graph, simulatedNumber, sim, receiver } = await start()
    const from = '919812000666'
    const { body: message } = await sim('/inbound', { from, type: 'text', text: { body: 'Hi' } })
    await settled(() => expect(receiver.changes()).toHaveLength(1))
    const [inbound] = receiver.changes()[0]?.value.messages ?? []
    expect(inbound).toMatchObject({ from_user_id: message.customerId })
    expect(receiver.received[0]?.body).not.toContain(from)
    const { body } = await graph('POST', `${simulatedNumber.phoneNumberId}/messages`, {
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

test('echoes, edits and deletions have the shape that is documented; no example of them is public', async () => {
  const { sim, hear, simulatedNumber, simulator, receiver } = await start()
  const { id } = (await hear(customer)).body
  await sim('/edit', { wamid: id, body: 'Hello' })
  await sim('/revoke', { wamid: id })
  await sim('/echo', { from: customer, type: 'text', text: { body: 'From my own phone' } })
  await settled(() => expect(receiver.changes()).toHaveLength(4))
  const { id: userId } = simulator.world.customerOf(customer)
  const number = simulatedNumber.displayNumber.slice(1)
  const head = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number, phone_number_id: simulatedNumber.phoneNumberId },
  }
  const contacts = [{ profile: { name: 'Customer 5678' }, wa_id: customer, user_id: userId }]
  const stamp = { id: expect.any(String), timestamp: expect.any(String) }
  const inbound = (type: string, content: object) => ({
    field: 'messages',
    value: { ...head, contacts, messages: [{ from: customer, from_user_id: userId, ...stamp, type, [type]: content }] },
  })
  const of = (type: string) => receiver.changes().find(({ value }) => value.messages?.[0]?.type === type)
  const edited = { original_message_id: id, message: { type: 'text', text: { body: 'Hello' } } }
  expect(of('edit')).toEqual(inbound('edit', edited))
  expect(of('revoke')).toEqual(inbound('revoke', { original_message_id: id }))
  const echo = { from: number, to: customer, to_user_id: userId, ...stamp, type: 'text' }
  expect(receiver.changes().find(({ field }) => field === 'smb_message_echoes')?.value).toEqual({
    ...head,
    message_echoes: [{ ...echo, text: { body: 'From my own phone' } }],
  })
})

describe('media', () => {
  test('a file goes up, is described with an address of five minutes, and comes down with the token only', async () => {
    const { app, simulatedNumber, graph, simulator } = await start()
    const boundary = 'parts'
    const payload = [
      `--${boundary}\r\ncontent-disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp`,
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nPNG!`,
      `--${boundary}--\r\n`,
    ].join('\r\n')
    const upload = await app.inject({
      method: 'POST',
      url: `/v26.0/${simulatedNumber.phoneNumberId}/media`,
      headers: {
        authorization: `Bearer ${simulatedNumber.accessToken}`,
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
    expect((await read({ authorization: `Bearer ${simulatedNumber.accessToken}` })).body).toBe('PNG!')
    simulator.advance(6 * 60_000)
    expect((await read({ authorization: `Bearer ${simulatedNumber.accessToken}` })).statusCode).toBe(404)
    expect((await graph('GET', '999')).body.error).toMatchObject({ code: 100, error_subcode: 33 })
  })
})

test('a voice note is told with its codec, and what a customer sends has arrived at once', async () => {
  const { sim, app, receiver } = await start()
  const payload = Buffer.from('OggS')
  const headers = { 'content-type': 'audio/ogg' }
  const { id } = (await app.inject({ method: 'POST', url: '/sim/media', headers, payload })).json()
  const { body } = await sim('/inbound', { from: customer, type: 'audio', audio: { id, voice: true } })
  expect(body.timeline.map(({ status }: { status: string }) => status)).toEqual(['sent', 'delivered'])
  await settled(() =>
    expect(receiver.changes()[0]?.value.messages).toMatchObject([
      { audio: { id, voice: true, mime_type: 'audio/ogg; codecs=opus', sha256: expect.any(String) } },
    ]),
  )
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
    const { graph, simulatedNumber, receiver } = await start()
    const { body } = await graph('POST', `${simulatedNumber.accountId}/subscribed_apps`, {
      override_callback_uri: receiver.url,
      verify_token: 'another',
    })
    expect(body.error.message).toContain('it answered 403')
  })

  test('faults: a wrong signature, copies, a pause', async () => {
    const { hear, sim, receiver, simulatedNumber } = await start()
    await sim('/webhooks', { signature: 'wrong', copies: 3 })
    await hear(customer)
    await settled(() => expect(receiver.received).toHaveLength(3))
    const [{ headers, body }] = receiver.received as [{ headers: Record<string, string>; body: string }]
    const right = createHmac('sha256', simulatedNumber.appSecret).update(body).digest('hex')
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
  onTestFinished(async () => void (await receiver.close()))
  first.simulator.outbound.settings({ deliveredMs: 3600_000 })
  await first.hear(customer)
  const { body } = await first.send(customer)
  const { id } = body.messages[0]
  await settled(() => expect(first.simulator.world.messages.get(id)?.status).toBe('sent'))
  first.simulator.clock.stop()

  const second = await startSimulator({ folder: first.folder })
  onTestFinished(second.stop)
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
    const { graph, simulatedNumber, simulator } = await start()
    const { body } = await graph('POST', `${simulatedNumber.accountId}/message_templates`, {
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
    const { graph, simulatedNumber } = await start()
    const create = (name: string, text: string) =>
      graph('POST', `${simulatedNumber.accountId}/message_templates`, {
        name,
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text }],
      })
    expect((await create('a', '{{1}} is here')).body.error.error_subcode).toBe(2388299)
    for (const name of ['one', 'two', 'three']) await create(name, 'Your order is ready')
    expect((await create('one', 'Again')).body.error.error_subcode).toBe(2388024)
    const page = (await graph('GET', `${simulatedNumber.accountId}/message_templates?limit=2`)).body
    expect(page.data).toHaveLength(2)
    const next = new URL(page.paging.next)
    const last = (await graph('GET', `${next.pathname.replace('/v26.0/', '')}${next.search}`)).body
    expect(last.data.map(({ name }: { name: string }) => name)).toEqual(['three'])
    expect(last.paging.next).toBeUndefined()
  })
})
