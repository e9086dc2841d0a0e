import { describe, expect, test } from 'vitest'
import { GraphError } from '../graph/graph-error.ts'
import type { SentTemplate } from '../graph/send-schema.ts'
import type { Template } from '../records.ts'
import { fillTemplate } from './fill-template.ts'
import { checkButtons } from './template-buttons.ts'
import { checkCarousel } from './template-carousel.ts'
import { checkOffer } from './template-offer.ts'
import { checkParts, writtenOut } from './template-parts.ts'

const codeOf = (run: () => unknown): number | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof GraphError ? Number(error.error['code']) : -1
  }
}
const image = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } })
const typeOf = (handle: string) => ({ '4::png': 'image/png', '4::pdf': 'application/pdf' })[handle]
const copy = (example: unknown) => ({ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example }] })

test.each([
  ['a picture that was uploaded', image('4::png'), undefined],
  ['a place', { type: 'HEADER', format: 'LOCATION' }, undefined],
  ['a handle that nobody was given', image('4::x'), 100],
  ['a document as a picture', image('4::pdf'), 100],
  ['no sample', { type: 'HEADER', format: 'VIDEO' }, 100],
  ['a code', copy('SAVE10'), undefined],
  ['a code in a list', copy(['SAVE10']), undefined],
  ['no code', copy(undefined), 100],
  ['a code of 16 characters', copy('X'.repeat(16)), 100],
])('%s: %j', (_, component, expected) => {
  expect(codeOf(() => checkParts([component], typeOf))).toBe(expected)
})

const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] }

test('an authentication template is kept with the platform’s own text', () => {
  const kept = writtenOut([
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 10 },
    otp,
  ])
  expect(kept).toMatchObject([
    { text: '*{{1}}* is your verification code. For your security, do not share this code.' },
    { text: 'This code expires in 10 minutes.' },
    { buttons: [{ type: 'URL', text: 'Copy code' }] },
  ])
  expect(codeOf(() => writtenOut([{ type: 'BODY', text: 'Mine: {{1}}' }, otp]))).toBe(100)
  expect(codeOf(() => writtenOut([{ type: 'BODY' }]))).toBe(100)
  expect(codeOf(() => writtenOut([{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, otp]))).toBe(100)
})

describe('a send', () => {
  const template = (components: object[]) => ({ components, parameterFormat: 'POSITIONAL' }) as unknown as Template
  const sent = (...components: object[]) => ({ components }) as unknown as SentTemplate
  const fill = (one: Template, parameters: SentTemplate) => fillTemplate(one, parameters, 1000)
  const button = (sub_type: string, parameter: object) => ({
    type: 'button',
    sub_type,
    index: '0',
    parameters: [parameter],
  })

  test('names the code of a button, in its own kind of parameter', () => {
    const offer = template([{ type: 'BODY', text: 'Hello' }, copy('SAVE10')])
    const code = (parameter: object) => fill(offer, sent(button('copy_code', parameter))).buttons[0]?.payload
    expect(code({ type: 'coupon_code', coupon_code: '25OFF' })).toBe('25OFF')
    expect(codeOf(() => code({ type: 'text', text: '25OFF' }))).toBe(132012)
    expect(codeOf(() => code({ type: 'coupon_code' }))).toBe(131008)
    expect(codeOf(() => code({ type: 'coupon_code', coupon_code: 'X'.repeat(16) }))).toBe(131009)
    expect(codeOf(() => fill(offer, sent()))).toBe(132012)
  })

  test('has the code of an authentication template twice', () => {
    const signIn = template(writtenOut([{ type: 'BODY' }, otp]))
    const body = { type: 'body', parameters: [{ type: 'text', text: '482913' }] }
    const url = button('url', { type: 'text', text: '482913' })
    expect(fill(signIn, sent(body, url))).toMatchObject({
      body: '*482913* is your verification code.',
      buttons: [{ type: 'OTP', payload: '482913' }],
    })
    expect(codeOf(() => fill(signIn, sent(body)))).toBe(131008)
    expect(codeOf(() => fill(signIn, sent(url)))).toBe(132000)
  })

  test('has the place of a header in full', () => {
    const visit = template([
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'Hello' },
    ])
    const location = { latitude: '12.9', longitude: '77.6', name: 'Chai & Co', address: 'MG Road' }
    const header = (location: object) => ({ type: 'header', parameters: [{ type: 'location', location: location }] })
    expect(fill(visit, sent(header(location))).header).toMatchObject({ media: location })
    expect(codeOf(() => fill(visit, sent(header({ ...location, name: '' }))))).toBe(131009)
    expect(codeOf(() => fill(visit, sent()))).toBe(132012)
  })

  test('an offer needs the end that its template promises, and one that is to come', () => {
    const limited = template([
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Expiring offer!', has_expiration: true } },
      { type: 'BODY', text: 'Good news!' },
    ])
    const end = (expiration_time_ms: number) => ({
      type: 'limited_time_offer',
      parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
    })
    expect(fill(limited, sent(end(2000)))).toMatchObject({ offer: { text: 'Expiring offer!', endsAt: 2000 } })
    expect(codeOf(() => fill(limited, sent()))).toBe(131008)
    expect(codeOf(() => fill(limited, sent(end(1000))))).toBe(131009)
  })

  test('a carousel is sent with each of its cards, and the picture of each', () => {
    const definition = [
      image('4::png'),
      { type: 'BODY', text: 'Now {{1}} off.' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] },
    ]
    const row = template([
      { type: 'BODY', text: 'New teas' },
      { type: 'carousel', cards: [{ components: definition }, { components: definition }] },
    ])
    const card = (card_index: number, value: string, above = 'image') => ({
      card_index,
      components: [
        { type: 'header', parameters: [{ type: above, [above]: { id: `10${card_index}` } }] },
        { type: 'body', parameters: [{ type: 'text', text: value }] },
      ],
    })
    const of = (...cards: object[]) => fill(row, sent({ type: 'carousel', cards })).cards
    expect(of(card(1, '20%'), card(0, '10%'))).toEqual([
      {
        header: { format: 'IMAGE', media: { id: '100' } },
        body: 'Now 10% off.',
        buttons: [expect.objectContaining({ payload: 'More' })],
      },
      {
        header: { format: 'IMAGE', media: { id: '101' } },
        body: 'Now 20% off.',
        buttons: [expect.objectContaining({ payload: 'More' })],
      },
    ])
    expect(codeOf(() => fill(row, sent()))).toBe(131008)
    expect(codeOf(() => of(card(0, '10%')))).toBe(132012)
    expect(codeOf(() => of(card(0, '10%'), card(0, '20%')))).toBe(132012)
    expect(codeOf(() => of(card(0, '10%'), card(1, '20%', 'video')))).toBe(132012)
    expect(codeOf(() => of(card(0, '10%'), card(1, 'x'.repeat(160))))).toBe(132005)
  })

  test('a single product is sent with its id and that of its catalogue', () => {
    const shop = template([
      { type: 'HEADER', format: 'PRODUCT' },
      { type: 'BODY', text: 'Hi' },
      { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] },
    ])
    const above = (product: object) => ({ type: 'header', parameters: [{ type: 'product', product }] })
    const product = { product_retailer_id: 'tea-1', catalog_id: '7' }
    expect(fill(shop, sent(above(product)))).toMatchObject({ header: { media: product }, buttons: [{ type: 'SPM' }] })
    expect(codeOf(() => fill(shop, sent()))).toBe(132012)
    expect(codeOf(() => fill(shop, sent(above({ product_retailer_id: 'tea-1' }))))).toBe(131009)
  })

  test('a form and products are sent with what they open; a catalogue may go without', () => {
    const shop = (type: string) =>
      template([
        { type: 'BODY', text: 'Hi' },
        { type: 'BUTTONS', buttons: [{ type, text: 'Open' }] },
      ])
    const products = (count: number) => ({
      thumbnail_product_retailer_id: 'tea-1',
      sections: [
        { title: 'Teas', product_items: Array.from({ length: count }, () => ({ product_retailer_id: 'tea-1' })) },
      ],
    })
    const action = (value: object) => ({ type: 'action', action: value })
    expect(fill(shop('CATALOG'), sent()).buttons).toMatchObject([{ type: 'CATALOG', action: {} }])
    expect(fill(shop('MPM'), sent(button('mpm', action(products(30))))).buttons).toMatchObject([
      { action: products(30) },
    ])
    expect(codeOf(() => fill(shop('MPM'), sent(button('mpm', action(products(31))))))).toBe(131009)
    expect(codeOf(() => fill(shop('MPM'), sent()))).toBe(131008)
    expect(codeOf(() => fill(shop('FLOW'), sent()))).toBe(131008)
    expect(fill(shop('FLOW'), sent(button('flow', action({ flow_token: 't' })))).buttons).toMatchObject([
      { type: 'FLOW', action: { flow_token: 't' } },
    ])
  })
})

const buttonsOfType = (...buttons: object[]) => [{ type: 'BUTTONS', buttons }]
const category = 'MARKETING'

test.each([
  ['a form that is published', buttonsOfType({ type: 'FLOW', flow_id: '7' }), undefined],
  ['a form of nobody', buttonsOfType({ type: 'FLOW', flow_id: '8' }), 100],
  ['a form with two names', buttonsOfType({ type: 'FLOW', flow_id: '7', flow_name: 'book' }), 100],
  ['two forms', buttonsOfType({ type: 'FLOW', flow_id: '7' }, { type: 'FLOW', flow_id: '7' }), 100],
  ['a call for 30 days', buttonsOfType({ type: 'VOICE_CALL', ttl_minutes: 43_200 }), undefined],
  ['a call for longer', buttonsOfType({ type: 'VOICE_CALL', ttl_minutes: 43_201 }), 100],
  ['a catalogue', buttonsOfType({ type: 'CATALOG' }), undefined],
  ['a catalogue beside another', buttonsOfType({ type: 'CATALOG' }, { type: 'QUICK_REPLY', text: 'No' }), 100],
  ['products without a header', buttonsOfType({ type: 'MPM' }), 100],
  ['a single product', [{ type: 'HEADER', format: 'PRODUCT' }, ...buttonsOfType({ type: 'SPM' })], undefined],
  ['a single product without its header', buttonsOfType({ type: 'SPM' }), 100],
  ['a product without its button', [{ type: 'HEADER', format: 'PRODUCT' }], 100],
])('%s: %j', (_, components, expected) => {
  expect(codeOf(() => checkButtons(components, { category, isForm: (id) => id === '7' }))).toBe(expected)
})

const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Expiring offer!', has_expiration: true } }
const copyCode = { type: 'COPY_CODE', example: 'CARIBE25' }
const book = { type: 'URL', text: 'Book now!', url: 'https://awesomedestinations.com/offers?code={{1}}' }
const bodyOf = (text: string) => ({ type: 'BODY', text })

test.each([
  ['as Meta writes it', [offer, bodyOf('Good news!'), ...buttonsOfType(copyCode, book)], undefined],
  ['without a code', [offer, bodyOf('Good news!'), ...buttonsOfType(book)], 100],
  ['with its code behind', [offer, bodyOf('Good news!'), ...buttonsOfType(book, copyCode)], 100],
  ['without a website', [offer, bodyOf('Good news!'), ...buttonsOfType(copyCode)], 100],
  ['with a footer', [offer, bodyOf('Good'), { type: 'FOOTER', text: 'Bye' }, ...buttonsOfType(copyCode, book)], 100],
  ['with 601 characters', [offer, bodyOf('x'.repeat(601)), ...buttonsOfType(copyCode, book)], 100],
  [
    'below a document',
    [{ type: 'HEADER', format: 'DOCUMENT' }, offer, bodyOf('Good'), ...buttonsOfType(copyCode, book)],
    100,
  ],
])('an offer %s', (_, components, expected) => {
  expect(codeOf(() => checkOffer(components, category))).toBe(expected)
  expect(codeOf(() => checkOffer(components, 'UTILITY'))).toBe(100)
})

const cardOf = (...components: object[]) => ({ components })
const reply = { type: 'QUICK_REPLY', text: 'More' }
const plainCard = cardOf(image('4::png'), bodyOf('First flush'), ...buttonsOfType(reply))
const carouselOf = (...cards: object[]) => [bodyOf('New teas'), { type: 'CAROUSEL', cards }]

test.each([
  ['as Meta writes it', carouselOf(plainCard, plainCard), undefined],
  ['of one card', carouselOf(plainCard), 100],
  ['of eleven cards', carouselOf(...Array.from({ length: 11 }, () => plainCard)), 100],
  ['with a footer', [...carouselOf(plainCard, plainCard), { type: 'FOOTER', text: 'Bye' }], 100],
  ['without a body', carouselOf(plainCard, plainCard).slice(1), 100],
  ['with a text on one card', carouselOf(plainCard, cardOf(image('4::png'), ...buttonsOfType(reply))), 100],
  [
    'with a document',
    carouselOf(
      ...Array.from({ length: 2 }, () => cardOf({ type: 'HEADER', format: 'DOCUMENT' }, ...buttonsOfType(reply))),
    ),
    100,
  ],
  ['without buttons', carouselOf(...Array.from({ length: 2 }, () => cardOf(image('4::png')))), 100],
  [
    'with a code',
    carouselOf(...Array.from({ length: 2 }, () => cardOf(image('4::png'), ...buttonsOfType(copyCode)))),
    100,
  ],
  [
    'with 161 characters on a card',
    carouselOf(
      ...Array.from({ length: 2 }, () => cardOf(image('4::png'), bodyOf('x'.repeat(161)), ...buttonsOfType(reply))),
    ),
    100,
  ],
])('a carousel %s', (_, components, expected) => {
  expect(codeOf(() => checkCarousel(components as Parameters<typeof checkCarousel>[0], category))).toBe(expected)
  expect(codeOf(() => checkCarousel(components as Parameters<typeof checkCarousel>[0], 'UTILITY'))).toBe(100)
})
