import { messageSchema } from '@parley/contracts/messages'
import { expect, test } from 'vitest'
import { readInboundMessage } from '../../whatsapp/inbound-message.ts'
import { contentOf } from '../apply/content-of.ts'
import { toMessage } from './to-message.ts'

const at = new Date('2026-01-01T00:00:00Z')

/** What the inbox answers of a message that WhatsApp has told of in these words. */
function shown(message: object) {
  const read = readInboundMessage({ id: 'wamid.1', from: '16505551234', timestamp: '1750096325', ...message })
  return stored(contentOf(read.content), {
    ...(read.forwarded !== 'no' && { forwarded: read.forwarded }),
    ...(read.referral && { referral: read.referral }),
    ...(read.productId && { productId: read.productId }),
  })
}
function stored(content: { type: string }, fields: object = {}) {
  const ids = { id: 'a', workspaceId: 'b', conversationId: 'c', numberId: 'd', contactId: 'e' }
  const answer = toMessage({
    ...{ ...ids, direction: 'inbound', statusAt: {}, version: 1, sentAt: at, createdAt: at, updatedAt: at },
    cause: { kind: 'customer', id: 'e' },
    content,
    ...fields,
  })
  expect(messageSchema.parse(answer)).toEqual(answer)
  return answer
}

const items = [
  { product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: 30.1, currency: 'USD' },
  { product_retailer_id: 'nqryix03ez', quantity: 1, item_price: 25.2, currency: 'USD', image: 'x' },
]
const order = {
  type: 'order',
  text: '',
  items: [
    { id: 'di9ozbzfi4', quantity: 2, price: 30.1, currency: 'USD' },
    { id: 'nqryix03ez', quantity: 1, price: 25.2, currency: 'USD' },
  ],
  total: { amount: 85.4, currency: 'USD' },
}

test('an order has its items and what they come to; one that was stored as WhatsApp sent it too', () => {
  expect(shown({ type: 'order', order: { catalog_id: '1', text: '', product_items: items } }).content).toEqual(order)
  expect(stored({ type: 'order', ...{ text: '', items } }).content).toEqual(order)
  const mixed = items.map((item, place) => ({ ...item, currency: place === 0 ? 'usd' : '' }))
  const { content } = shown({ type: 'order', order: { product_items: mixed } })
  expect(content).toMatchObject({ items: [{ currency: 'USD' }, { id: 'nqryix03ez' }] })
  expect(content).not.toHaveProperty('total')
})

const flow = {
  screen_0_Your_name_0: 'Lucía',
  screen_0_How_was_it_1: '0_Very_good',
  wanted_days: ['Monday', 'Friday'],
  newsletter: false,
  flow_token: 'a secret',
}
const answers = [
  { question: 'Your name', answer: 'Lucía' },
  { question: 'How was it', answer: 'Very good' },
  { question: 'Wanted days', answer: 'Monday, Friday' },
  { question: 'Newsletter', answer: 'No' },
]

test('a form that was filled in has its answers; one that was stored as JSON text too, and one that cannot be read none', () => {
  const replied = (response: string, name = 'flow') => {
    const nfm = { name, body: 'Sent', response_json: response }
    return shown({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: nfm } }).content
  }
  expect(replied(JSON.stringify(flow))).toEqual({ type: 'interactive', text: 'Sent', options: [], answers })
  expect(replied('{}', 'address_message')).toMatchObject({ form: 'address_message', answers: [] })
  expect(replied('{"cut')).toEqual({ type: 'interactive', text: 'Sent', options: [] })
  const before = { type: 'interactive', ...{ text: 'Sent', options: [], answers: JSON.stringify(flow) } }
  expect(stored(before).content).toMatchObject({ answers })
})

test.each([
  [
    {
      contacts: [
        {
          name: { first_name: 'Lucía', formatted_name: 'Lucía Gómez' },
          org: { company: 'Acme' },
          phones: [{ phone: '+1 (983) 555-2319', wa_id: '19835552319', type: 'MOBILE' }],
          emails: [{ email: 'lucia@acme.example', type: 'WORK' }, {}],
        },
        { org: { company: 'Only a company' } },
      ],
    },
    {
      contacts: [
        { name: 'Lucía Gómez', company: 'Acme', phones: ['+1 (983) 555-2319'], emails: ['lucia@acme.example'] },
        { name: 'Only a company', phones: [] },
      ],
    },
  ],
  [
    { location: { latitude: 37.44, longitude: -122.16, name: 'Philz Coffee', url: 'https://philzcoffee.com/' } },
    { latitude: 37.44, longitude: -122.16, name: 'Philz Coffee', url: 'https://philzcoffee.com/' },
  ],
  [{ location: { latitude: 1, longitude: 2, url: 'javascript:alert(1)' } }, { latitude: 1, longitude: 2 }],
  [
    {
      interactive: {
        type: 'list_reply',
        list_reply: { id: 'express', title: 'Priority Mail', description: 'Next day' },
      },
    },
    { text: 'Priority Mail', chosen: 'express', description: 'Next day' },
  ],
  [
    { interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes, please' } } },
    { text: 'Yes, please', chosen: 'yes' },
  ],
  [
    { interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'reject' } } },
    { text: 'Does not want to be called', chosen: 'reject' },
  ],
  [
    { system: { type: 'user_changed_number', body: 'User Sheena changed from 1 to 2', wa_id: '12195555358' } },
    { text: 'User Sheena changed from 1 to 2', phone: '+12195555358' },
  ],
  [{ system: { type: 'customer_identity_changed' } }, { text: 'The security code of the customer has changed' }],
  [{ unsupported: { type: 'poll_creation' } }, { named: 'poll_creation' }],
])('%j is shown as %j', (message, expected) => {
  const [type = ''] = Object.keys(message)
  const { content } = shown({ type, ...message })
  expect(content).toMatchObject({ type, ...expected })
  expect(JSON.stringify(content)).not.toContain('javascript:')
})

test('a message says that it was forwarded, the ad that it came through and the product that it is about; a deleted one nothing', () => {
  const text = { type: 'text', text: { body: 'Is it in stock?' } }
  expect(shown({ ...text, context: { forwarded: true } }).forwarded).toBe('yes')
  expect(shown({ ...text, context: { frequently_forwarded: true } }).forwarded).toBe('many_times')
  const referral = {
    ...{ source_url: 'https://fb.me/3cr4Wqqkv', source_id: '1', source_type: 'ad', media_type: 'image' },
    ...{ body: 'Summer Succulents are here!', headline: 'Chat with us', welcome_message: { text: 'Hi' } },
  }
  expect(shown({ ...text, referral }).referral).toEqual({
    ...{ kind: 'ad', headline: 'Chat with us', body: 'Summer Succulents are here!', url: 'https://fb.me/3cr4Wqqkv' },
  })
  expect(shown({ ...text, referral: { source_type: 'ad', source_id: '1' } }).referral).toBeUndefined()
  const unsafe = { ...referral, source_type: 'post', source_url: 'javascript:alert(1)' }
  expect(shown({ ...text, referral: unsafe }).referral).toMatchObject({ kind: 'post', headline: 'Chat with us' })
  expect(shown({ ...text, referral: unsafe }).referral).not.toHaveProperty('url')
  const product = { referred_product: { catalog_id: 'c', product_retailer_id: 'tea-1' } }
  expect(shown({ ...text, context: product }).productId).toBe('tea-1')
  const deleted = stored({ type: 'text', ...{ text: 'x' } }, { referral, productId: 'tea-1', deletedAt: at })
  expect([deleted.referral, deleted.productId]).toEqual([undefined, undefined])
})
