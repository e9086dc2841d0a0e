import { expect, test } from 'vitest'
import { answerLabels, readAnswer } from './consent-answers.ts'

const wordsOf = (index: 0 | 1) =>
  Object.entries(answerLabels).flatMap(([language, words]) =>
    words[index].split(', ').map((word) => [language, word] as const),
  )

test.each(wordsOf(0))('%s: %s is yes', (_, word) => {
  expect([readAnswer(word), readAnswer(` ${word.toUpperCase()}. `)]).toEqual(['in', 'in'])
})

test.each(wordsOf(1))('%s: %s is no', (_, word) => {
  expect([readAnswer(word), readAnswer(` ${word.toUpperCase()}. `)]).toEqual(['out', 'out'])
})

// Spellings that spreadsheets in these languages write for TRUE and FALSE, and other programs for a choice.
test.each([
  ...([
    'TRUE',
    'WAHR',
    'VRAI',
    'VERDADERO',
    'VERDADEIRO',
    'VERO',
    'WAAR',
    'DOĞRU',
    'ИСТИНА',
    'PRAWDA',
    'SANT',
  ] as const),
  ...([
    'Opted-in',
    'opt_in',
    'OPT-IN',
    'SUBSCRIBED',
    'Sí',
    'si',
    'Ja',
    '✔️',
    'Evet',
    'हां',
    'はい',
    'نَعَم',
    '1.0',
  ] as const),
])('%s is yes', (cell) => {
  expect(readAnswer(cell)).toBe('in')
})
test.each([
  ...(['FALSE', 'FALSCH', 'FAUX', 'FALSO', 'ONWAAR', 'YANLIŞ', 'ЛОЖЬ', 'FAŁSZ', 'FALSKT'] as const),
  ...(['Opted-out', 'opt_out', 'NEVER_SUBSCRIBED', 'Não', 'nao', 'HAYIR', '❌', '0,0', 'いいえ'] as const),
])('%s is no', (cell) => {
  expect(readAnswer(cell)).toBe('out')
})

test.each(['', ' ', 'maybe', '?', 'yes and no', '2024-05-01', 'website', '2', 'pending', 'o', 'yes'.repeat(20)])(
  '%j is neither',
  (cell) => {
    expect(readAnswer(cell)).toBeUndefined()
  },
)
