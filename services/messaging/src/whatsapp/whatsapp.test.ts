import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { classifyError } from './error-classes.ts'
import { readInboundMessage } from './inbound-message.ts'
import { readInboundStatus } from './inbound-status.ts'
import { sendBody } from './send-body.ts'
import { isSignedBy } from './signature.ts'
import { splitWebhook } from './split-webhook.ts'

describe('signatures', () => {
  const body = Buffer.from('{"text":"ol\\u00e1 \\ud83e\\udd16"}')
  const signed = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

  test('the bytes as received count, with either secret of a rotation', () => {
    expect(isSignedBy(body, signed('new'), ['new', 'old'])).toBe(true)
    expect(isSignedBy(body, signed('old'), ['new', 'old'])).toBe(true)
    expect(isSignedBy(Buffer.from(JSON.stringify(JSON.parse(body.toString()))), signed('new'), ['new'])).toBe(false)
  })

  test.each([undefined, '', 'sha256=', 'sha1=abc', `sha256=${'0'.repeat(64)}`, signed('new').toUpperCase()])(
    '%s is refused',
    (signature) => {
      expect(isSignedBy(body, signature, ['new'])).toBe(false)
      expect(isSignedBy(body, signature, [])).toBe(false)
    },
  )
})

describe('error codes', () => {
  test.each([
    [190, 'stop_number', 'fix_number'],
    [200, 'stop_number', 'fix_number'],
    [130429, 'slow_number', 'retry'],
    [131056, 'slow_contact', 'retry'],
    [131047, 'window_closed', 'send_template'],
    [131049, 'wait_24h', 'none'],
    [131050, 'opted_out', 'none'],
    [131026, 'bad_contact', 'none'],
    [132001, 'fix_template', 'fix_template'],
    [131000, 'retry', 'retry'],
    [131009, 'bad_request', 'none'],
    [999999, 'bad_request', 'none'],
  ])('%i is %s', (code, errorClass, nextStep) => {
    expect(classifyError(code)).toMatchObject({ class: errorClass, nextStep })
  })
})

const value = (fields: object) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550001111', phone_number_id: '100' },
  ...fields,
})
const webhook = (...changes: object[]) =>
  Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '200', time: 5, changes }] }))
const text = (id: string, from: string) => ({ id, from, timestamp: '1767225600', type: 'text', text: { body: 'Hi' } })

describe('splitting a webhook', () => {
  test('each message and each status is a piece with the contact that belongs to it', () => {
    const contacts = [
      { wa_id: '491', profile: { name: 'Ann' } },
      { wa_id: '492', profile: { name: 'Bo' } },
    ]
    const items = splitWebhook(
      webhook(
        { field: 'messages', value: value({ contacts, messages: [text('a', '491'), text('b', '492')] }) },
        {
          field: 'messages',
          value: value({ statuses: [{ id: 'c', status: 'sent', recipient_id: '491', timestamp: '1' }] }),
        },
      ),
    )
    expect(items?.map(({ kind, phoneNumberId, accountId }) => [kind, phoneNumberId, accountId])).toEqual([
      ['message', '100', '200'],
      ['message', '100', '200'],
      ['status', '100', '200'],
    ])
    expect(JSON.parse(items?.[1]?.payload ?? '')).toMatchObject({
      contacts: [{ profile: { name: 'Bo' } }],
      message: { id: 'b' },
    })
    // Statuses of a customer share the lane of that customer's messages.
    expect(items?.[2]?.lane).toBe(items?.[0]?.lane)
  })

  test('unknown fields, values without messages and errors beside messages are kept', () => {
    const items = splitWebhook(
      webhook(
        { field: 'some_future_field', value: { foo: 'bar' } },
        { field: 'messages', value: value({ errors: [{ code: 130429 }] }) },
        { field: 'messages', value: value({ messages: [text('a', '491')], errors: [{ code: 1 }] }) },
      ),
    )
    expect(items?.map(({ kind, field }) => [kind, field])).toEqual([
      ['other', 'some_future_field'],
      ['other', 'messages'],
      ['message', 'messages'],
      ['other', 'messages'],
    ])
    expect(JSON.parse(items?.[0]?.payload ?? '')).toEqual({ time: 5, value: { foo: 'bar' } })
  })

  test.each(['', 'null', '[]', '{"entry":5}', '{', '"text"'])('%s cannot be split', (body) => {
    expect(splitWebhook(Buffer.from(body))).toBeUndefined()
  })
})

describe('inbound messages', () => {
  test('a text with its rider', () => {
    const message = readInboundMessage({
      ...text('wamid.1', '15551234567'),
      from_user_id: 'US.1',
      context: { id: 'wamid.0', forwarded: true },
      referral: { source_type: 'ad', ctwa_clid: 'x', unknown: 1 },
    })
    expect(message).toMatchObject({
      waMessageId: 'wamid.1',
      waId: '15551234567',
      userId: 'US.1',
      at: new Date('2026-01-01T00:00:00Z'),
      replyTo: 'wamid.0',
      forwarded: 'yes',
      content: { type: 'text', value: { body: 'Hi' } },
    })
  })

  test('a user id where a phone number belongs is taken for what it is', () => {
    expect(readInboundMessage(text('a', 'BR.123'))).toMatchObject({ waId: undefined, userId: 'BR.123' })
    const { from: _hidden, ...rest } = text('a', '')
    expect(readInboundMessage({ ...rest, from_user_id: 'BR.123' })).toMatchObject({ waId: undefined, userId: 'BR.123' })
  })

  test('types that nobody knows, and known ones with other contents, are unsupported and not lost', () => {
    const unknown = readInboundMessage({ ...text('a', '491'), type: 'poll_creation_v9', poll_creation_v9: {} })
    expect(unknown.content).toEqual({ type: 'unsupported', named: 'poll_creation_v9', errorCode: undefined })
    const broken = readInboundMessage({ ...text('a', '491'), text: { body: 7 } })
    expect(broken.content).toMatchObject({ type: 'unsupported', named: 'text' })
    // It was written anyway.
    expect([unknown.opensWindow, broken.opensWindow]).toEqual([false, true])
    const parsed = readInboundMessage({ ...text('a', '491'), type: 'unsupported', errors: [{ code: 131051 }] })
    expect(parsed.content).toMatchObject({ errorCode: 131051 })
  })

  test('without id or time there is nothing to read', () => {
    expect(() => readInboundMessage({ ...text('a', '491'), id: undefined })).toThrow()
    expect(() => readInboundMessage({ ...text('a', '491'), timestamp: 'soon' })).toThrow()
  })
})

test.each([
  ['image', 'image', true],
  ['order', null, true],
  ['interactive', { type: 'button_reply', button_reply: 5 }, true],
  ['reaction', { message_id: 'wamid.0' }, false],
  ['system', { type: 'user_changed_number' }, false],
  ['unsupported', undefined, false],
])('a message of the type %s that holds %j opens the window: %s', (type, value, opens) => {
  expect(readInboundMessage({ ...text('a', '491'), type, [type]: value }).opensWindow).toBe(opens)
})

test('a status with price and error', () => {
  expect(
    readInboundStatus({
      id: 'wamid.1',
      status: 'failed',
      timestamp: '1767225600',
      recipient_id: '491',
      biz_opaque_callback_data: 'our-id',
      pricing: { billable: false, pricing_model: 'PMP', category: 'utility' },
      errors: [{ code: 131047, title: 'Re-engagement message' }],
    }),
  ).toMatchObject({
    status: 'failed',
    callbackData: 'our-id',
    pricing: { billable: false, category: 'utility' },
    error: { code: 131047, details: 'Re-engagement message' },
  })
  expect(readInboundStatus({ id: 'a', status: 'teleported', timestamp: 1 }).status).toBeUndefined()
})

describe('send bodies', () => {
  const options = { callbackData: 'our-id' }

  test('a phone number goes before a user id; a reply quotes', () => {
    const body = sendBody(
      { phone: '+491', userId: 'DE.1' },
      { type: 'text', text: 'Hi' },
      { ...options, replyTo: 'wamid.0' },
    )
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+491',
      context: { message_id: 'wamid.0' },
      biz_opaque_callback_data: 'our-id',
      type: 'text',
      text: { body: 'Hi', preview_url: true },
    })
    expect(sendBody({ userId: 'DE.1' }, { type: 'text', text: 'Hi' }, options)).toMatchObject({ recipient: 'DE.1' })
    expect(() => sendBody({}, { type: 'text', text: 'Hi' }, options)).toThrow()
  })

  test('buttons, lists, media and templates are spelled as the platform wants them', () => {
    const of = (content: Parameters<typeof sendBody>[1]) => sendBody({ phone: '+491' }, content, options)
    expect(of({ type: 'buttons', text: 'Sure?', options: [{ id: 'y', title: 'Yes' }] })).toMatchObject({
      type: 'interactive',
      interactive: { type: 'button', action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] } },
    })
    expect(
      of({ type: 'list', text: 'Pick', button: 'Open', options: [{ id: '1', title: 'One', description: undefined }] }),
    ).toMatchObject({
      interactive: { type: 'list', action: { button: 'Open', sections: [{ rows: [{ id: '1', title: 'One' }] }] } },
    })
    expect(of({ type: 'document', mediaId: '9', fileName: 'a.pdf', caption: '' })).toMatchObject({
      document: { id: '9', filename: 'a.pdf' },
    })
    expect(of({ type: 'template', name: 'hello', language: 'en_US', components: [] })).toMatchObject({
      template: { name: 'hello', language: { code: 'en_US' } },
    })
  })
})

test('a change and an account of an empty name are kept as unnamed ones: nobody could store them otherwise', () => {
  const body = { entry: [{ id: '', changes: [{ field: '', value: { event: 'x' } }, { value: {} }] }] }
  const items = splitWebhook(Buffer.from(JSON.stringify(body)))
  expect(items).toMatchObject([
    { kind: 'other', field: 'unknown', accountId: undefined },
    { kind: 'other', field: 'unknown', accountId: undefined },
  ])
})
