import { foldText } from '@parley/rules/fold-text'
import { expect, test } from 'vitest'
import { beginsWith, digitsOf, nameWordsOf, wordsOf } from './search-text.ts'

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
  ['0042', '0042'],
  ['042', '042'],
  ['007', '007'],
  ['098765 43210', '9876543210'],
  ['0091 98765 43210', '919876543210'],
  ['030 12345', '3012345'],
  ['01234', '01234'],
  ['000000', '000000'],
  ['asha 12', undefined],
  ['+ -', undefined],
  ['\u200e+91 98765\u202c', '9198765'],
  ['tel:+91-98765', '9198765'],
  ['https://wa.me/919876543210', '919876543210'],
  ['919876543210@s.whatsapp.net', '919876543210'],
  ['९८७६', '9876'],
])('digits of %s: %s', (text, digits) => {
  expect(digitsOf(text)).toBe(digits)
})

test.each([
  ['王小明', ['小明', '王小', '明', '王小明']],
  ['山田 太郎', ['田', '郎', '太郎']],
  ['田中さくら', ['さくら', 'くら']],
  ['タナカ', ['ナカ']],
  ['สมชาย ใจดี', ['ชาย', 'ดี', 'ใจ']],
  ['Tanaka太郎', ['太郎', 'tanaka']],
  ['Asha Rao', ['ash', 'rao']],
])('%s is found by %j', (name, parts) => {
  for (const part of parts)
    for (const word of wordsOf(part))
      expect(nameWordsOf(name).some((nameWord) => beginsWith(word).test(nameWord))).toBe(true)
})

test('a name of another script is found by the beginnings of its words alone, and a long one stays within its bound', () => {
  expect(nameWordsOf('Asha Rao')).toEqual(['asha', 'rao'])
  const long = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')
  expect(nameWordsOf(long)).toHaveLength(120)
})
