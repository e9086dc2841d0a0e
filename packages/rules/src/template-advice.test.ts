import type { TemplateContent } from '@parley/contracts/templates/templates'
import { expect, test } from 'vitest'
import { templateAdvice } from './template-advice.ts'

const content: TemplateContent = {
  name: 'order_update',
  language: 'en',
  category: 'utility',
  header: 'Your order',
  body: 'Hello {{1}}, your order has left our shop. 🎉\n\nIt arrives tomorrow!',
  footer: 'Chai & Co',
  buttons: [{ kind: 'url', text: 'Open', url: 'https://chai.example/o' }],
  examples: { 1: 'Asha' },
}
const adviceOn = (over: Partial<TemplateContent>) =>
  templateAdvice({ ...content, ...over }).map(({ path, message }) => `${path.join('.')}: ${message}`)

test.each<[string, Partial<TemplateContent>]>([
  ['a plain update', {}],
  ['nothing without a message', { category: 'marketing', body: ' ', header: '🎉' }],
  ['words that only contain one of advertising', { body: 'The salesman {{1}} wholesaled it to a Salem shop for us.' }],
  [
    'advertising that is called so',
    { category: 'marketing', body: 'A sale for {{1}} today!', footer: 'Reply STOP to end' },
  ],
  ['a way out as a button', { category: 'marketing', buttons: [{ kind: 'quick_reply', text: 'Stop' }] }],
  ['its own script', { language: 'hi', header: '', body: 'नमस्ते {{1}}, आपका ऑर्डर कल तक आपके पास पहुँच जाएगा।' }],
  ['a name, a number and an address of nobody', { examples: { 1: 'Asha', 2: 'CC-20481', 3: 'asha@example.com' } }],
  ['hosts that end alike', { buttons: [{ kind: 'url', text: 'Open', url: 'https://about.co/x' }] }],
])('%s is left alone', (_, over) => {
  expect(adviceOn(over)).toEqual([])
})

test.each<[string, Partial<TemplateContent>, RegExp]>([
  ['a discount', { body: 'Hello {{1}}, today every pot is 30% off for you.' }, /^category: “% off”/],
  ['an offer in Spanish', { language: 'es', body: 'Hola {{1}}, una oferta para tu cocina.' }, /^category: “oferta”/],
  [
    'an offer in Hindi',
    { language: 'hi', header: '', body: 'नमस्ते {{1}}, आज हर चाय पर बड़ी छूट है, आप आइए।' },
    /^category: “छूट”/,
  ],
  ['another script', { language: 'ta' }, /^language: /],
  ['emoji in the header', { header: 'Your order 🎉' }, /^header: /],
  ['an asterisk in the footer', { footer: '*Chai* & Co' }, /^footer: /],
  ['a gap in the message', { body: 'Hello {{1}}, here.\n\n\nIt arrives.' }, /^body: .*line breaks/],
  ['eleven emoji', { body: `Hello {{1}}, here ${'🎉'.repeat(11)} it is.` }, /^body: .*emoji/],
  ['capitals alone', { body: 'HELLO {{1}}, YOUR ORDER HAS LEFT.' }, /^body: .*capitals/],
  ['repeated signs', { body: 'Hello {{1}}, it has left!!' }, /^body: .*exclamation/],
  [
    'a text too long with its values',
    { body: `Hi {{1}}, ${'a '.repeat(505)}`, examples: { 1: 'x'.repeat(40) } },
    /^body: .*1055/,
  ],
  ['a short link in the message', { body: 'Hello {{1}}, see https://bit.ly/3x for more.' }, /^body: .*bit\.ly/],
  [
    'a short link',
    { buttons: [{ kind: 'url', text: 'Open', url: 'https://wa.me/91804' }] },
    /^buttons\.0\.url: .*wa\.me/,
  ],
  ['a phone number as sample', { examples: { 1: '+91 98123 45678' } }, /^examples\.1: /],
  ['a card as sample', { examples: { 1: '4111 1111 1111 1111' } }, /^examples\.1: /],
  ['an address as sample', { examples: { 1: 'asha@gmail.com' } }, /^examples\.1: /],
  ['advertising without a way out', { category: 'marketing' }, /^footer: Say how to stop/],
])('%s is told beside its field', (_, over, expected) => {
  expect(adviceOn(over)).toEqual([expect.stringMatching(expected)])
})
