import { messageSchema } from '@parley/contracts/inbox/messages'
import { expect, test } from 'vitest'
import { readInboundMessage } from '../../../whatsapp/inbound-message.ts'
import { contentOf } from '../../inbound/content-of.ts'
import { toMessage } from './to-message.ts'

const at = new Date('2026-01-01T00:00:00Z')

/** Returns the inbox's answer for a message that WhatsApp has reported in this form. */
function shown(message: object) {
  const read = readInboundMessage({ id: 'wamid.1', from: '16505551234', timestamp: '1750096325', ...message })
  return stored(contentOf(read.content), {
    ...(read.forwarded !== 'no' && { forwarded: read.forwarded }),
    ...(read.referral && { referral: read.referral }),
    ...(read.productId && { productId: read.productId }),
  })
}
function stored(content: { type: string } & Record<string, unknown>, fields: object = {}) {
  const ids = { id: 'a', workspaceId: 'b', conversationId: 'c', numberId: 'd', contactId: 'e' }
  const answer = toMessage({
    ...ids,
    direction: 'inbound',
    statusAt: {},
    version: 1,
    sentAt: at,
    createdAt: at,
    updatedAt: at,
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
  expect(stored({ type: 'order', text: '', items }).content).toEqual(order)
  const mixed = items.map((item, index) => ({ ...item, currency: index === 0 ? 'usd' : '' }))
  const { content } = shown({ type: 'order', order: { product_items: mixed } })
  expect(content).toMatchObject({ items: [{ currency: 'USD' }, { id: 'nqryix03ez' }] })
  expect(content).not.toHaveProperty('total')
})

test('an order with an item that cannot be read whole keeps the rest, and has no total', () => {
  const odd = { product_retailer_id: 'sku', quantity: '2', item_price: null }
  const product_items = [items[0], odd, { item_price: '5.5', currency: 'USD' }, 'odd']
  const { content } = shown({ type: 'order', order: { text: 'Two, please', product_items } })
  expect(content).toEqual({
    type: 'order',
    text: 'Two, please',
    items: [
      { id: 'di9ozbzfi4', quantity: 2, price: 30.1, currency: 'USD' },
      { id: 'sku', quantity: 2 },
      { id: '', price: 5.5, currency: 'USD' },
    ],
  })
})

test.each([
  [
    { type: 'image', image: {} },
    { type: 'image', state: 'failed', url: '' },
  ],
  [
    { type: 'document', document: { id: 7, caption: 'Plan' } },
    { type: 'document', state: 'loading', caption: 'Plan' },
  ],
  [
    { type: 'location', location: { latitude: null, name: 'The shop' } },
    { type: 'text', text: 'The shop' },
  ],
  [
    { type: 'location', location: { latitude: 95, longitude: 1 } },
    { type: 'unsupported', named: 'location' },
  ],
  [
    { type: 'button', button: { payload: 'yes' } },
    { type: 'interactive', text: 'yes', chosen: 'yes' },
  ],
  [
    { type: 'button', button: { text: 'More of this', payload: 'parley:card:2:More of this' } },
    { type: 'interactive', text: 'More of this', chosen: 'More of this', card: 2 },
  ],
  [
    { type: 'button', button: { text: 'More of this', payload: 'parley:card:11:More of this' } },
    { type: 'interactive', text: 'More of this', chosen: 'parley:card:11:More of this' },
  ],
  [
    { type: 'button', button: null },
    { type: 'unsupported', named: 'button' },
  ],
  [
    { type: 'interactive', interactive: { list_reply: { title: 'Priority' }, button_reply: 'odd' } },
    { type: 'interactive', text: 'Priority', chosen: 'Priority' },
  ],
  [
    { type: 'interactive', interactive: {} },
    { type: 'unsupported', named: 'interactive' },
  ],
  [
    { type: 'contacts', contacts: [5] },
    { type: 'unsupported', named: 'contacts' },
  ],
  [
    { type: 'order', order: 'odd' },
    { type: 'unsupported', named: 'order' },
  ],
  [
    { type: 'unsupported', errors: [{ code: 131_052, title: 'Media download error' }] },
    { type: 'unsupported', reason: 'too_large' },
  ],
])('of %j there is shown what can be read', (message, content) => expect(shown(message).content).toMatchObject(content))

const vcards = [
  'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Rao;Ravi;;;\r\nFN:Ravi Rao\r\nORG:Tea\\, Ltd;Sales\r\nitem1.TEL;type=MOBILE;waid=919000011111:+91 90000\r\n  11111\r\nEND:VCARD',
  'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Rao;Ravi;;;\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ravi=\n=20Rao\nORG:Tea, Ltd\nTEL;CELL:+91 90000 11111\nEND:VCARD\nBEGIN:VCARD\nFN:Somebody else\nTEL:1\nEND:VCARD',
  'BEGIN:VCARD\nVERSION:4.0\nthis is no line\nN:Rao;Ravi;;;\nORG:Tea\\, Ltd\nTEL;VALUE=uri;TYPE="voice,cell":tel:+91 90000 11111\nEND:VCARD',
]
test.each(vcards)('a card that comes as a vCard alone has its name, company and number: %j', (vcard) => {
  const { content } = shown({ type: 'contacts', contacts: [{ vcard, origin: 'other' }] })
  const card = { name: 'Ravi Rao', phones: ['+91 90000 11111'], company: 'Tea, Ltd' }
  expect(content).toEqual({ type: 'contacts', contacts: [card] })
})

test('what WhatsApp has read of a card goes before its vCard', () => {
  const card = { name: { formatted_name: 'Ravi' }, phones: [{ wa_id: '919000011111' }, 'odd'], vcard: vcards[0] }
  const shownCard = { name: 'Ravi', phones: ['+919000011111'], company: 'Tea, Ltd' }
  expect(shown({ type: 'contacts', contacts: [card] }).content).toMatchObject({ contacts: [shownCard] })
})

test('an address has a line for each part that is set, and nested answers of a form theirs', () => {
  const answersOf = (name: string, response: object) => {
    const nfm = { name, body: 'Sent', response_json: JSON.stringify(response) }
    const { content } = shown({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: nfm } })
    return content.type === 'interactive' ? content.answers : undefined
  }
  const values = { in_pin_code: '411001', floor_number: '', city: 'Pune', landmark_area: null, address: '2 Tea Lane' }
  expect(answersOf('address_message', { saved_address_id: 'a1', values })).toEqual([
    { question: 'PIN code', answer: '411001' },
    { question: 'City', answer: 'Pune' },
    { question: 'Address', answer: '2 Tea Lane' },
  ])
  const photo = { id: 790, mime_type: 'image/jpeg', sha256: 'x', file_name: 'roof.jpg' }
  const rooms = [{ kind: 'Single', nights: 2 }, { kind: 'Double' }]
  const response = { flow_token: 'secret', wa_flow_response_params: { title: 'Stay' }, stay: { from: '1 May', rooms } }
  expect(answersOf('flow', { ...response, photos: [photo], none: [], blank: ' ' })).toEqual([
    { question: 'Stay › From', answer: '1 May' },
    { question: 'Stay › Rooms › 1. › Kind', answer: 'Single' },
    { question: 'Stay › Rooms › 1. › Nights', answer: '2' },
    { question: 'Stay › Rooms › 2. › Kind', answer: 'Double' },
    { question: 'Photos', answer: 'roof.jpg' },
  ])
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
  const before = { type: 'interactive', text: 'Sent', options: [], answers: JSON.stringify(flow) }
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
    source_url: 'https://fb.me/3cr4Wqqkv',
    source_id: '1',
    source_type: 'ad',
    media_type: 'image',
    body: 'Summer Succulents are here!',
    headline: 'Chat with us',
    welcome_message: { text: 'Hi' },
  }
  expect(shown({ ...text, referral }).referral).toEqual({
    kind: 'ad',
    headline: 'Chat with us',
    body: 'Summer Succulents are here!',
    url: 'https://fb.me/3cr4Wqqkv',
  })
  expect(shown({ ...text, referral: { source_type: 'ad', source_id: '1' } }).referral).toBeUndefined()
  const unsafe = { ...referral, source_type: 'post', source_url: 'javascript:alert(1)' }
  expect(shown({ ...text, referral: unsafe }).referral).toMatchObject({ kind: 'post', headline: 'Chat with us' })
  expect(shown({ ...text, referral: unsafe }).referral).not.toHaveProperty('url')
  const product = { referred_product: { catalog_id: 'c', product_retailer_id: 'tea-1' } }
  expect(shown({ ...text, context: product }).productId).toBe('tea-1')
  const deleted = stored({ type: 'text', text: 'x' }, { referral, productId: 'tea-1', deletedAt: at })
  expect([deleted.referral, deleted.productId]).toEqual([undefined, undefined])
})
