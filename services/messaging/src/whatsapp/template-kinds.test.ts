import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { expect, test } from 'vitest'
import { readComponents } from './read-components.ts'
import { definitionOf, sendComponents } from './template-components.ts'

/**
 * Templates of Meta's documentation (message templates: catalogue, multi-product, Flows, calls and offers), and what is sent with each.
 */
const body = {
  type: 'BODY',
  text: 'Now shop for your favourite products right here on WhatsApp! Get Rs {{1}} off on all orders above {{2}}Rs! Valid for your first {{3}} orders placed on WhatsApp!',
  example: { body_text: [['100', '400', '3']] },
}
const written = (button: TemplateButton, more: Partial<TemplateContent> = {}): TemplateContent => ({
  name: 'intro_catalog_offer',
  language: 'en_US',
  category: 'marketing',
  body: body.text,
  examples: { 1: '100', 2: '400', 3: '3' },
  buttons: [button],
  ...more,
})
const values = { 1: '100', 2: '400', 3: '3' }
const action = (parameter: object) => [{ type: 'action', action: parameter }]

const form = { kind: 'flow', text: 'Sign up', form: '1234567890', screen: 'WELCOME_SCREEN' } as const
const sections = [
  { title: 'Popular Bundles', products: ['lfatxzpf3f', 'odx61xcx8p'] },
  { title: 'Premium Packages', products: ['n6k6x0y7oe'] },
]
const cases: [string, TemplateButton, object, object[] | undefined][] = [
  [
    'a catalogue',
    { kind: 'catalog', text: 'View catalog', product: '2lc20305pt' },
    { type: 'CATALOG', text: 'View catalog' },
    action({ thumbnail_product_retailer_id: '2lc20305pt' }),
  ],
  [
    'a catalogue with its first product',
    { kind: 'catalog', text: 'View catalog' },
    { type: 'CATALOG', text: 'View catalog' },
    undefined,
  ],
  [
    'products',
    { kind: 'products', text: 'View items', product: 'lfatxzpf3f', sections },
    { type: 'MPM', text: 'View items' },
    action({
      thumbnail_product_retailer_id: 'lfatxzpf3f',
      sections: [
        {
          title: 'Popular Bundles',
          product_items: [{ product_retailer_id: 'lfatxzpf3f' }, { product_retailer_id: 'odx61xcx8p' }],
        },
        { title: 'Premium Packages', product_items: [{ product_retailer_id: 'n6k6x0y7oe' }] },
      ],
    }),
  ],
  [
    'a form',
    form,
    {
      type: 'FLOW',
      text: 'Sign up',
      flow_id: '1234567890',
      flow_action: 'navigate',
      navigate_screen: 'WELCOME_SCREEN',
    },
    action({ flow_token: 'unused' }),
  ],
  [
    'a call',
    { kind: 'voice_call', text: 'Call Now', minutes: 100 },
    { type: 'VOICE_CALL', text: 'Call Now', ttl_minutes: 100 },
    [{ type: 'ttl_minutes', ttl_minutes: 100 }],
  ],
  [
    'a call for as long as WhatsApp has it',
    { kind: 'voice_call', text: 'Call Now' },
    { type: 'VOICE_CALL', text: 'Call Now' },
    undefined,
  ],
]

test.each(cases)('%s is created, sent and read back as Meta writes it', (_, button, defined, parameters) => {
  const content = written(button)
  const { components } = definitionOf(content)
  expect(components).toEqual([body, { type: 'BUTTONS', buttons: [defined] }])
  const types: Readonly<Record<string, string>> = { products: 'mpm' }
  expect(sendComponents(content, values)).toEqual([
    {
      type: 'body',
      parameters: [
        { type: 'text', text: '100' },
        { type: 'text', text: '400' },
        { type: 'text', text: '3' },
      ],
    },
    ...(parameters ? [{ type: 'button', sub_type: types[button.kind] ?? button.kind, index: '0', parameters }] : []),
  ])
  expect(readComponents(components, content)).toMatchObject({ content: { buttons: [button] }, unsupported: [] })
})

test('a variable names another product for each customer, after the variables of the text', () => {
  const content = written({ kind: 'catalog', text: 'View catalog', product: '{{4}}' })
  const sent = sendComponents(content, { ...values, 4: 'tea-7' })
  expect(sent.at(-1)).toMatchObject({ parameters: action({ thumbnail_product_retailer_id: 'tea-7' }) })
  expect(readComponents(definitionOf(content).components, content).content.buttons).toEqual(content.buttons)
})

test('a form without a screen stays so where WhatsApp names its first one; one that asks a server is not filled in here', () => {
  const { screen: _screen, ...plain } = form
  const there = {
    type: 'FLOW',
    text: 'Sign up',
    flow_id: 1234567890,
    flow_action: 'NAVIGATE',
    navigate_screen: 'FIRST',
  }
  const read = (button: object, ours?: TemplateContent) =>
    readComponents([body, { type: 'BUTTONS', buttons: [button] }], ours)
  expect(read(there, written(plain)).content.buttons).toEqual([plain])
  expect(read(there).content.buttons).toEqual([{ ...plain, screen: 'FIRST' }])
  expect(read({ ...there, flow_action: 'DATA_EXCHANGE' }).unsupported).toEqual(['flow button'])
  // Products are told with each message: those of a template of others are not known.
  expect(read({ type: 'MPM', text: 'View items' }).unsupported).toEqual(['mpm button'])
})

test('a limited-time offer is created, sent with its end and read back as Meta writes it', () => {
  const offered = {
    offer: { text: 'Expiring offer!', hasExpiration: true },
    body: 'Good news, {{1}}! Use code {{2}} to get 25% off all Caribbean Destination packages!',
    examples: { 1: 'Pablo', 2: 'CARIBE25', 3: 'n3mtql' },
  }
  const copy = { kind: 'copy_code', text: 'Copy offer code', code: '{{2}}' } as const
  const link = { kind: 'url', text: 'Book now!', url: 'https://awesomedestinations.com/offers?code={{3}}' } as const
  const content = written(copy, { ...offered, buttons: [copy, link] })
  const { components } = definitionOf(content)
  expect(components).toEqual([
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Expiring offer!', has_expiration: true } },
    { type: 'BODY', text: offered.body, example: { body_text: [['Pablo', 'CARIBE25']] } },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'COPY_CODE', example: 'CARIBE25' },
        {
          type: 'URL',
          text: 'Book now!',
          url: 'https://awesomedestinations.com/offers?code={{1}}',
          example: ['n3mtql'],
        },
      ],
    },
  ])
  const end = '2026-12-01T10:00:00.000Z'
  expect(sendComponents(content, { 1: 'Pablo', 2: 'CARIBE25', 3: 'n3mtql', offer_ends: end })).toEqual([
    {
      type: 'limited_time_offer',
      parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.parse(end) } }],
    },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Pablo' },
        { type: 'text', text: 'CARIBE25' },
      ],
    },
    {
      type: 'button',
      sub_type: 'copy_code',
      index: '0',
      parameters: [{ type: 'coupon_code', coupon_code: 'CARIBE25' }],
    },
    { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'n3mtql' }] },
  ])
  const read = readComponents(components, content)
  expect(read).toMatchObject({ content: { offer: offered.offer, body: offered.body }, unsupported: [] })
})

test('a single product is created, sent and read back as Meta writes it', () => {
  const headerMedia = { kind: 'product', product: { id: '{{4}}', catalogId: '194836987003835' } } as const
  const content = written({ kind: 'product', text: 'View' }, { headerMedia, examples: { ...values, 4: 'nqryix03ez' } })
  const { components } = definitionOf(content)
  expect(components).toEqual([
    { type: 'HEADER', format: 'PRODUCT' },
    body,
    { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] },
  ])
  const [header, text, ...others] = sendComponents(content, { ...values, 4: 'tea-7' })
  const product = { product_retailer_id: 'tea-7', catalog_id: '194836987003835' }
  expect(header).toEqual({ type: 'header', parameters: [{ type: 'product', product }] })
  expect([text, others]).toMatchObject([{ type: 'body' }, []])
  expect(readComponents(components, content)).toMatchObject({
    content: { headerMedia, buttons: content.buttons },
    unsupported: [],
  })
  // Its product is not known of a template that was written elsewhere, until somebody names it.
  expect(readComponents(components).content.headerMedia).toEqual({ kind: 'product' })
})
