import { expect, test } from 'vitest'
import { parsePlaceholders } from './placeholder-pieces.ts'
import { placeholderProblems } from './placeholder-problems.ts'
import { fillPlaceholders, nextPlaceholder, placeholdersOf, templatePlaceholders } from './placeholders.ts'

const problemsOf = (body: string, over: Partial<Parameters<typeof placeholderProblems>[0]> = {}) =>
  placeholderProblems({ body, buttons: [], ...over }).map(({ path, message }) => `${path.join('.')}: ${message}`)

test('a text is cut at its placeholders and loses nothing', () => {
  const text = 'Hi {{first_name}}, {{ this }} is not one, {{1}} is.'
  const pieces = parsePlaceholders(text)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.filter(({ kind }) => kind === 'placeholder')).toEqual([
    { kind: 'placeholder', text: '{{first_name}}', key: 'first_name' },
    { kind: 'placeholder', text: '{{1}}', key: '1' },
  ])
})

test('keys are listed once: numbers by size, names as they come', () => {
  expect(placeholdersOf('Order {{10}} of {{2}}', undefined, 'and {{2}}, {{1}}')).toEqual(['1', '2', '10'])
  expect(placeholdersOf('{{name}} and {{city}} and {{name}}')).toEqual(['name', 'city'])
  expect(
    templatePlaceholders({ header: 'For {{1}}', body: 'x {{2}}', buttons: [{ kind: 'url', url: 'https://a/{{3}}' }] }),
  ).toEqual(['1', '2', '3'])
})

test('values take the place of their placeholders; what has none stays', () => {
  expect(fillPlaceholders('Hi {{name}}, {{city}}!', { name: 'Asha' })).toBe('Hi Asha, {{city}}!')
  expect(fillPlaceholders('Hi {{name}}!', { name: '' })).toBe('Hi {{name}}!')
  expect(fillPlaceholders('{{constructor}}', {})).toBe('{{constructor}}')
  expect(fillPlaceholders('{{1}} {{2}}', { 1: '{{2}}', 2: 'b' })).toBe('{{2}} b')
})

test('the next variable goes on with the kind that is there, and fills a gap', () => {
  expect(nextPlaceholder('No variable')).toBe('{{1}}')
  expect(nextPlaceholder('Hi {{1}}, {{3}}')).toBe('{{2}}')
  expect(nextPlaceholder('Hi {{name}}')).toBe('{{variable_1}}')
})

test.each([
  ['Hello {{1}}, your order {{2}} is on its way to you.', []],
  ['Hello {{name}}, your parcel is here.', []],
  ['No variable at all', []],
  ['नमस्ते {{1}}, आपका ऑर्डर भेज दिया गया है।', []],
  ['{{1}} has been sent to you today.', [/begin with a variable/]],
  ['👋 {{1}}, it has been sent today.', []],
  ['Your parcel was sent by {{1}}.', [/end with a variable/]],
  ['Your parcel {{1}} {{2}} was sent to you today by us.', [/next to each other/]],
  ['Hi {{1}} there', [/at least 3 words/]],
  ['您的订单{{1}}已发货。', []],
  ['ご注文{{1}}を発送しました。', []],
  ['คำสั่งซื้อ {{1}} ของคุณถูกจัดส่งแล้ว', []],
  ['您{{1}}好', [/at least 3 words/]],
  ['Hello {{1}}, your {{name}} is on its way to you.', [/not both/]],
  ['Hello {{1}}, your order {{3}} is on its way.', [/\{\{2\}\} is missing/]],
  ['Hello {{Name}}, welcome to our shop.', [/A variable is/]],
  ['Hello {{ 1 }}, welcome to our shop.', [/A variable is/]],
  ['Hello {{1}, welcome to our shop.', [/A variable is/]],
])('the body %j is judged as WhatsApp judges it', (body, expected) => {
  const problems = problemsOf(body)
  expect(problems).toHaveLength(expected.length)
  for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern)
})

test('header, footer and addresses have rules of their own', () => {
  expect(problemsOf('Plain text here', { header: 'To {{1}} and {{2}}' })).toEqual([
    'header: A header can contain one variable',
  ])
  expect(problemsOf('Plain text here', { footer: 'By {{1}}' })).toEqual(['footer: A footer cannot contain variables'])
  const url = (address: string) => problemsOf('Plain text here', { buttons: [{ kind: 'url', url: address }] })
  expect(url('https://chai.example/o/{{1}}')).toEqual([])
  expect(url('https://chai.example/{{1}}/o')).toEqual(['buttons.0.url: A URL can contain one variable, at its end'])
})
