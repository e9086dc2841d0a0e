import { expect, test } from 'vitest'
import { bodyOf, filledParts } from './template-parts.ts'

const template = {
  header: 'Order {{1}}',
  body: 'Hi {{2}},\n\nit is *ready*.',
  footer: 'Chai & Co',
  buttons: [{ kind: 'url' as const, text: 'Track', url: 'https://chai.example/{{1}}' }],
}

test('a filled template is one text, whose parts are found again', () => {
  const filled = filledParts(template, { 1: '17', 2: 'Asha' })
  expect(filled).toEqual({
    text: 'Order 17\n\nHi Asha,\n\nit is *ready*.\n\nChai & Co',
    headerText: 'Order 17',
    footer: 'Chai & Co',
    buttons: [{ kind: 'url', text: 'Track' }],
  })
  expect(bodyOf(filled)).toBe('Hi Asha,\n\nit is *ready*.')
  const plain = filledParts({ body: 'Hello', buttons: [] }, {})
  expect([plain, bodyOf(plain)]).toEqual([{ text: 'Hello' }, 'Hello'])
})

test('a text that is too long names no parts: its end is missing', () => {
  const filled = filledParts(template, { 2: 'x'.repeat(2100) })
  expect(filled.text).toHaveLength(2048)
  expect([filled.headerText, filled.footer, bodyOf(filled)]).toEqual([undefined, undefined, filled.text])
})

test('customers see the button that WhatsApp adds to an authentication template', () => {
  const code = {
    body: '*{{code}}* is your verification code.',
    buttons: [],
    authentication: { securityRecommendation: false },
  }
  expect(filledParts(code, { code: '123' }).buttons).toEqual([{ kind: 'copy_code', text: 'Copy code' }])
})
