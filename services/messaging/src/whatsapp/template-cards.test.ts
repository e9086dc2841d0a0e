import type { TemplateContent } from '@parley/contracts/templates/templates'
import { expect, test } from 'vitest'
import { readComponents } from './read-components.ts'
import { sendBody } from './send-body.ts'
import { definitionOf, sendComponents } from './template-components.ts'

/** Carousels of Meta's documentation, and what is sent with each. */
const file = { mediaId: 'file-1', name: 'blue-elf.jpg', mimeType: 'image/jpeg', sizeBytes: 1000 }
const succulent = (text: string, over: object = {}) => ({
  headerMedia: { kind: 'image' as const, file },
  body: text,
  buttons: [
    { kind: 'quick_reply' as const, text: 'Send me more like this!' },
    { kind: 'url' as const, text: 'Buy now', url: 'https://www.luckyshrub.com/rare/{{3}}' },
  ],
  ...over,
})
const carousel: TemplateContent = {
  name: 'summer_carousel_promo',
  language: 'en_US',
  category: 'marketing',
  body: 'Rare succulents for sale! {{1}}, add these unique plants to your collection.',
  examples: { 1: 'Pablo', 2: '30%', 3: 'BLUE_ELF' },
  buttons: [],
  cards: [succulent('Get {{2}} off today, {{1}}.'), succulent('All plants now {{2}} off.')],
}

test('a carousel is created, sent and read back as Meta writes it: each card counts its variables from one', () => {
  const { components } = definitionOf(carousel, ['4::one', '4::two'])
  const buttons = {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Send me more like this!' },
      { type: 'URL', text: 'Buy now', url: 'https://www.luckyshrub.com/rare/{{1}}', example: ['BLUE_ELF'] },
    ],
  }
  const header = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } })
  expect(components).toEqual([
    { type: 'BODY', text: carousel.body, example: { body_text: [['Pablo']] } },
    {
      type: 'CAROUSEL',
      cards: [
        {
          components: [
            header('4::one'),
            { type: 'BODY', text: 'Get {{2}} off today, {{1}}.', example: { body_text: [['Pablo', '30%']] } },
            buttons,
          ],
        },
        {
          components: [
            header('4::two'),
            { type: 'BODY', text: 'All plants now {{1}} off.', example: { body_text: [['30%']] } },
            buttons,
          ],
        },
      ],
    },
  ])
  const sent = sendComponents(carousel, { 1: 'Asha', 2: '15%', 3: 'tea' })
  const text = (value: string) => ({ type: 'text', text: value })
  const below = (card: number) => {
    const pressed = { type: 'payload', payload: `parley:card:${card}:Send me more like this!` }
    return [
      { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [pressed] },
      { type: 'button', sub_type: 'url', index: '1', parameters: [text('tea')] },
    ]
  }
  const cards = [
    { card_index: 0, components: [{ type: 'body', parameters: [text('Asha'), text('15%')] }, ...below(1)] },
    { card_index: 1, components: [{ type: 'body', parameters: [text('15%')] }, ...below(2)] },
  ]
  expect(sent).toEqual([
    { type: 'body', parameters: [text('Asha')] },
    { type: 'carousel', cards },
  ])
  // The picture of each card stands above its parts, once WhatsApp knows it.
  const files = [
    { kind: 'image', mediaId: '101' },
    { kind: 'image', mediaId: '102' },
  ] as const
  const content = { type: 'template', name: carousel.name, language: 'en_US', components: sent, cards: files } as const
  const body = sendBody({ phone: '+919820000000' }, content, { callbackData: 'm' })
  expect(body).toMatchObject({
    template: {
      components: [
        { type: 'body' },
        {
          type: 'carousel',
          cards: cards.map((card, index) => ({
            ...card,
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { id: files[index]?.mediaId } }] },
              ...card.components,
            ],
          })),
        },
      ],
    },
  })
  const read = readComponents(components, carousel)
  expect(read.unsupported).toEqual([])
  // One that was written elsewhere has other variables in each card, and no files.
  expect(readComponents(components).content).toMatchObject({
    cards: [
      { headerMedia: { kind: 'image' }, body: 'Get {{2}} off today, {{3}}.' },
      { headerMedia: { kind: 'image' }, body: 'All plants now {{5}} off.' },
    ],
    examples: { 1: 'Pablo', 2: '30%', 3: 'Pablo', 4: 'BLUE_ELF', 5: '30%', 6: 'BLUE_ELF' },
  })
})

test('a card keeps its file by its words, however cards were moved or removed at WhatsApp', () => {
  const file = (mediaId: string) => ({ mediaId, name: `${mediaId}.png`, mimeType: 'image/png', sizeBytes: 1 })
  const withFile = (body: string, mediaId: string) =>
    succulent(body, { headerMedia: { kind: 'image', file: file(mediaId) } })
  const [first, second, third] = [
    withFile('All plants now {{2}} off.', 'a'),
    withFile('Pots, {{1}}.', 'b'),
    withFile('Soil, {{1}}.', 'c'),
  ]
  const ours = { ...carousel, cards: [first, second, third] }
  const there = (cards: typeof ours.cards) =>
    definitionOf(
      { ...ours, cards },
      cards.map((_, index) => `4::${index}`),
    ).components
  const filesOf = (cards: typeof ours.cards) =>
    readComponents(there(cards), ours).content.cards?.map(({ headerMedia }) => headerMedia.file?.mediaId)
  expect(filesOf([first, second, third])).toEqual(['a', 'b', 'c'])
  expect(filesOf([second, third])).toEqual(['b', 'c'])
  expect(filesOf([third, first, second])).toEqual(['c', 'a', 'b'])
  expect(filesOf([first, succulent('Written there, {{1}}.'), third])).toEqual(['a', undefined, 'c'])
  // Cards that say the same cannot be told apart once one is gone.
  const alike = { ...carousel, cards: [withFile('Pots, {{1}}.', 'a'), withFile('Pots, {{1}}.', 'b'), third] }
  const left = readComponents(there([second, third]), alike).content.cards
  expect(left?.map(({ headerMedia }) => headerMedia.file?.mediaId)).toEqual([undefined, 'c'])
})

test.each([
  [
    'a product',
    [
      { type: 'HEADER', format: 'PRODUCT' },
      { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] },
    ],
  ],
  [
    'a button of another kind',
    [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Go', flow_id: '7' }] },
    ],
  ],
  [
    'a footer',
    [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'FOOTER', text: 'Bye' },
    ],
  ],
])('a carousel with %s on a card is shown as it is, and not sent', (_, components) => {
  const text = { type: 'BODY', text: 'Now {{1}} off.', example: { body_text: [['30%']] } }
  const card = { components: [...components, text] }
  const read = readComponents([
    { type: 'BODY', text: 'New teas are here, {{1}}, for you.', example: { body_text: [['Pablo']] } },
    { type: 'CAROUSEL', cards: [card, card] },
  ])
  // Samples of variables that stand nowhere here are not kept.
  expect([read.content.examples, read.unsupported]).toEqual([{ 1: 'Pablo' }, ['carousel']])
  expect(read.content.cards).toBeUndefined()
})
