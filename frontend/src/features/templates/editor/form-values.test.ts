import { expect, test } from 'vitest'
import {
  contentOf,
  emptyTemplate,
  insertAt,
  placeOfNext,
  templateFormSchema,
  templateNameOf,
  wrapWith,
} from './form-values.ts'

const quick = { kind: 'quick_reply', text: 'Yes' } as const
const url = { kind: 'url', text: 'Open', url: 'https://chaiandco.example' } as const
const phone = { kind: 'phone', text: 'Call', phone: '+91 80 4123 4567' } as const
const valid = {
  ...emptyTemplate,
  name: 'order_update',
  body: 'Hello {{1}}, your order is here.',
  examples: { 1: 'Asha' },
}
const problemsOf = (over: Partial<typeof emptyTemplate>) => {
  const { error } = templateFormSchema.safeParse(contentOf({ ...valid, ...over }))
  return [...new Set(error?.issues.map(({ path }) => path.join('.')))]
}

test.each([
  ['Summer Sale', 'summer_sale'],
  ['order-update 2', 'order_update_2'],
  ['ÄÖ! é_x', '_x'],
  ['UPPER', 'upper'],
])('the name %j is typed as %j', (typed, expected) => {
  const name = templateNameOf(typed)
  expect(name.endsWith(expected)).toBe(true)
  expect(name).toMatch(/^[a-z0-9_]*$/)
})

test('what WhatsApp would refuse is found before it is sent', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ name: 'Not This' })).toEqual(['name'])
  expect(problemsOf({ body: 'x'.repeat(1025) })).toEqual(['body'])
  expect(problemsOf({ header: 'x'.repeat(61) })).toEqual(['header'])
  expect(problemsOf({ footer: 'x'.repeat(61) })).toEqual(['footer'])
  expect(problemsOf({ examples: { 1: '  ' } })).toEqual(['examples.1'])
  expect(problemsOf({ buttons: [{ ...quick, text: 'x'.repeat(26) }] })).toEqual(['buttons.0.text'])
  expect(problemsOf({ buttons: [{ ...url, url: 'not an address' }] })).toEqual(['buttons.0.url'])
  expect(problemsOf({ buttons: [{ ...phone, phone: '12' }] })).toEqual(['buttons.0.phone'])
  expect(problemsOf({ buttons: [url, { ...url, text: 'Read' }, { ...url, text: 'See' }] })).toEqual(['buttons'])
  expect(problemsOf({ buttons: [phone, { ...phone, text: 'Ask' }] })).toEqual(['buttons'])
  expect(problemsOf({ buttons: [quick, url, { ...quick, text: 'No' }] })).toEqual(['buttons'])
  expect(problemsOf({ buttons: Array.from({ length: 11 }, () => quick) })).toContain('buttons')
  expect(problemsOf({ buttons: [quick, { ...quick, text: 'No' }, url, phone] })).toEqual([])
})

test('samples of placeholders that are gone are not sent, and phones are', () => {
  const content = contentOf({ ...valid, examples: { 1: ' Asha ', 2: 'gone' }, buttons: [phone] })
  expect(content.examples).toEqual({ 1: 'Asha' })
  expect(content.buttons).toEqual([{ ...phone, phone: '+918041234567' }])
})

test('quick replies stay together', () => {
  expect(placeOfNext('quick_reply', [quick, url])).toBe(1)
  expect(placeOfNext('quick_reply', [url])).toBe(1)
  expect(placeOfNext('url', [quick, url])).toBe(2)
})

test('a variable is inserted at the caret with room around it', () => {
  expect(insertAt('Hello, you', { start: 5, end: 5 }, '{{1}}')).toEqual({
    text: 'Hello {{1}}, you',
    start: 11,
    end: 11,
  })
  expect(insertAt('Hi you', { start: 3, end: 3 }, '{{1}}').text).toBe('Hi {{1}} you')
  expect(insertAt('', { start: 0, end: 0 }, '{{1}}').text).toBe('{{1}}')
})

test('a mark stands on both sides of the selection, which stays', () => {
  expect(wrapWith('a word here', { start: 2, end: 6 }, '*')).toEqual({ text: 'a *word* here', start: 3, end: 7 })
})
