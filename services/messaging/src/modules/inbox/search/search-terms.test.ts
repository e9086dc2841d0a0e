import { expect, test } from 'vitest'
import { searchableText, searchTerms } from './search-terms.ts'

test.each([
  ['Where is my order #1042?', ['where', 'is', 'my', 'order', '1042']],
  ['a Ünï B', ['uni']],
  ['東京都に', ['東京', '京都', '都に']],
  ['店', []],
  ['', []],
])('%s is found by %j', (text, words) => {
  expect(searchTerms(text)).toEqual(words)
})

test('at most 60 words of a message are kept', () => {
  expect(searchTerms(Array.from({ length: 500 }, (_, index) => `word${index}`).join(' '))).toHaveLength(60)
  expect(searchTerms('漢'.repeat(4000).replaceAll(/漢{7}/g, '漢字仮名交文'))).not.toHaveLength(0)
  expect(searchTerms('漢字仮名交文'.repeat(700)).length).toBeLessThanOrEqual(60)
})

test('captions, names of files, places and contacts, and texts of cards are searched; activity lines are not', () => {
  expect(searchableText({ type: 'image', caption: 'Blue door', mimeType: 'image/png' })).toBe('Blue door')
  expect(searchableText({ type: 'document', fileName: 'invoice.pdf' })).toBe('invoice.pdf')
  expect(searchableText({ type: 'location', name: 'Office', address: 'MG Road', latitude: 1 })).toBe('Office MG Road')
  expect(searchableText({ type: 'contacts', contacts: [{ name: 'Asha' }, null] })).toBe('Asha')
  const cards = [{ text: 'First flush' }, {}, { text: 'Second flush' }]
  expect(searchableText({ type: 'template', text: 'New teas', cards })).toBe('New teas First flush Second flush')
  expect(searchableText({ type: 'system', text: 'Closed this conversation' })).toBe('')
})
