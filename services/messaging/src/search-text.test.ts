import { foldText } from '@parley/contracts/fold-text'
import { expect, test } from 'vitest'
import { beginsWith, digitsOf, wordsOf } from './search-text.ts'

test.each([
  ['Zoë Łukasz', 'zoe lukasz'],
  ['STRASSE / Straße', 'strasse / strasse'],
  ['Ølgaard Æsir', 'olgaard aesir'],
  ['Ελένη', 'ελενη'],
  ['שָׁלוֹם', 'שלום'],
  // Vowel signs are part of the word.
  ['हिन्दी', 'हिन्दी'],
  ['ภาษาไทย', 'ภาษาไทย'.normalize('NFKD').normalize('NFC')],
  ['ﬁne', 'fine'],
])('%s is compared as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

test('words are told apart by what is no letter, mark or digit, each once', () => {
  expect(wordsOf("Asha's order: #1042, order 1042!")).toEqual(['asha', 's', 'order', '1042'])
  expect(wordsOf('नमस्ते दुनिया')).toEqual(['नमस्ते', 'दुनिया'])
  expect(wordsOf('👍 …')).toEqual([])
  expect(wordsOf(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))).toHaveLength(60)
})

test('a beginning is found at the start of a word alone', () => {
  expect(beginsWith('mo').test('mohan')).toBe(true)
  expect(beginsWith('mo').test('amol')).toBe(false)
})

test.each([
  ['+91 (98765)-43.210', '919876543210'],
  ['4321', '4321'],
  ['asha 12', undefined],
  ['+ -', undefined],
  ['\u200e+91 98765\u202c', '9198765'],
  ['tel:+91-98765', '9198765'],
  ['https://wa.me/919876543210', '919876543210'],
  ['919876543210@s.whatsapp.net', '919876543210'],
  ['९८७६', '9876'],
  ['0042', '0042'],
])('digits of %s: %s', (text, digits) => {
  expect(digitsOf(text)).toBe(digits)
})
