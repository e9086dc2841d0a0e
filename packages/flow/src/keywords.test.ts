import type { KeywordMatch } from '@parley/contracts/automation/triggers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRouting, matchTrigger, normalizeText, type RoutedTrigger, type Said, saysWord } from './keywords.ts'

const trigger = (match: RoutedTrigger['match'], keyword: string | undefined, more: Partial<RoutedTrigger> = {}) => ({
  flowId: 'tea',
  nodeId: `${match} ${keyword ?? ''}`.trim(),
  numberId: '*',
  order: 1,
  match,
  keyword,
  ...more,
})
const said = (text: string, more: Partial<Said> = {}): Said => ({
  numberId: 'n1',
  text,
  contentType: 'text',
  isFirst: false,
  ...more,
})
const starts = (match: KeywordMatch, keyword: string, text: string) =>
  matchTrigger(compileRouting([trigger(match, keyword)]), said(text)) !== undefined

const cases: [KeywordMatch, string, string, boolean][] = [
  // Latin
  ['exact', 'Hi', '  hI ', true],
  ['exact', 'hi', 'hi there', false],
  ['exact', 'price list', 'Price \n  LIST', true],
  ['exact', 'ﬁnd', 'FIND', true],
  ['starts_with', 'order', 'Order 42, please', true],
  ['starts_with', 'order', 'my order', false],
  ['word', 'hi', 'what is this', false],
  ['word', 'hi', 'oh, hi!', true],
  ['word', 'hi', 'hi', true],
  ['word', 'tea', 'green-tea?', true],
  ['word', 'tea', 'tea2go', false],
  ['word', 'caf', 'café', false],
  ['word', 'cafe', 'cafe\u0301', false],
  ['word', 'café', 'un cafe\u0301, merci', true],
  ['word', 'price list', 'Your PRICE   list?', true],
  ['word', '𝓱𝓲', 'oh hi', true],
  ['word', 'c++', 'is c++ taught?', true],
  ['text', 'hi', 'what is this', true],
  // Devanagari: vowel signs are marks, and part of their word.
  ['exact', 'नमस्ते', ' नमस्ते ', true],
  ['word', 'कीमत', 'इसकी कीमत क्या है?', true],
  ['word', 'क', 'की', false],
  ['word', 'चाय', 'चायवाला', false],
  ['word', 'नमस', 'नमस्\u200dते', false],
  // Thai and Chinese have no spaces between words.
  ['word', 'ราคา', 'ราคาเท่าไหร่', false],
  ['text', 'ราคา', 'ขอราคาหน่อย', true],
  ['starts_with', 'ราคา', 'ราคาเท่าไหร่', true],
  ['word', '价格', '请问价格', false],
  ['word', '价格', '价格？', true],
  ['text', '价格', '请问价格是多少', true],
  // Arabic
  ['exact', 'سعر', 'سعر', true],
  ['word', 'سعر', 'ما سعر الشاي؟', true],
  ['word', 'سعر', 'الأسعار', false],
  ['word', 'مرحبا', 'مرحباً', false],
  ['text', 'شاي', 'الشاي', true],
]

test.each(cases)('%s “%s” in “%s” is %s', (match, keyword, text, fits) => {
  expect(starts(match, keyword, text)).toBe(fits)
})

test('the closer match wins, then the longer keyword, then the older bot', () => {
  const routing = compileRouting([
    trigger('any_message', undefined),
    trigger('text', 'tea'),
    trigger('word', 'tea'),
    trigger('word', 'green tea'),
    trigger('starts_with', 'tea'),
    trigger('exact', 'tea'),
    trigger('word', 'cup', { flowId: 'young', order: 7 }),
    trigger('word', 'mug', { flowId: 'old', order: 2 }),
  ])
  const found = (text: string) => matchTrigger(routing, said(text))
  expect(
    ['Tea', 'tea please', 'some tea', 'a green tea', 'teapot', 'steam', 'coffee'].map((text) => found(text)?.nodeId),
  ).toEqual([
    'exact tea',
    'starts_with tea',
    'word tea',
    'word green tea',
    'starts_with tea',
    'text tea',
    'any_message',
  ])
  expect(found('cup or mug')).toEqual({
    flowId: 'old',
    nodeId: 'word mug',
    match: 'word',
    keyword: 'mug',
    interrupts: false,
  })
  const same = compileRouting([
    trigger('word', 'cup', { flowId: 'young', order: 7 }),
    trigger('word', 'Cup', { flowId: 'old', order: 2, interrupts: true }),
  ])
  expect(matchTrigger(same, said('cup'))).toMatchObject({ flowId: 'old', interrupts: true })
})

test('a number has its own triggers and those of all', () => {
  const routing = compileRouting([
    trigger('word', 'tea', { numberId: 'n1', flowId: 'one' }),
    trigger('word', 'tea', { numberId: 'n2', flowId: 'two' }),
    trigger('word', 'help', { flowId: 'all' }),
  ])
  const at = (numberId: string, text: string) => matchTrigger(routing, said(text, { numberId }))?.flowId
  expect([at('n1', 'tea'), at('n2', 'tea'), at('n3', 'tea'), at('n2', 'help'), at('n3', 'help')]).toEqual([
    'one',
    'two',
    undefined,
    'all',
    'all',
  ])
})

test('any message may be the first of a conversation only; reactions and system messages start nothing', () => {
  const routing = compileRouting([trigger('any_message', undefined, { onlyFirst: true })])
  expect(matchTrigger(routing, said('x'))).toBeUndefined()
  expect(matchTrigger(routing, said('', { contentType: 'image', isFirst: true }))).toBeDefined()
  for (const contentType of ['reaction', 'system', 'unsupported'])
    expect(matchTrigger(routing, said('x', { contentType, isFirst: true }))).toBeUndefined()
  const both = compileRouting([
    trigger('any_message', undefined),
    trigger('any_message', undefined, { onlyFirst: true, nodeId: 'first' }),
  ])
  expect(matchTrigger(both, said('x', { isFirst: true }))?.nodeId).toBe('first')
  const captions = compileRouting([trigger('word', 'tea')])
  expect(matchTrigger(captions, said('tea', { contentType: 'image' }))).toBeDefined()
})

/** Finds the same trigger by looking at one after the other. */
function linear(triggers: readonly RoutedTrigger[], text: string): string | undefined {
  const rank = ['exact', 'starts_with', 'word', 'text']
  const fitting = triggers
    .filter(({ match, keyword = '' }) => match !== 'any_message' && starts(match, keyword, text))
    .toSorted(
      (left, right) =>
        rank.indexOf(left.match) - rank.indexOf(right.match) ||
        normalizeText(right.keyword ?? '').length - normalizeText(left.keyword ?? '').length ||
        left.order - right.order,
    )
  return fitting[0]?.nodeId
}

test('the compiled table finds what a search one by one finds', () => {
  const letters = fc
    .array(fc.constantFrom('a', 'b', 'é', 'कि', ' ', '价', '-'), { minLength: 1, maxLength: 6 })
    .map((list) => list.join(''))
  const triggers = fc
    .array(fc.record({ match: fc.constantFrom('exact', 'starts_with', 'word', 'text'), keyword: letters }), {
      maxLength: 8,
    })
    .map((list) =>
      list.map(({ match, keyword }, index) =>
        trigger(match as KeywordMatch, keyword, { order: index, nodeId: `${index}` }),
      ),
    )
  fc.assert(
    fc.property(triggers, letters, letters, (list, one, other) => {
      const text = `${one}${other}`
      const winner = matchTrigger(compileRouting(list), said(text))?.nodeId
      const expected = linear(list, text)
      // Two triggers that are equal but for their bot: the older counts, whichever the search met first.
      expect(winner).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

test('a customer asks for a person by a word, in a short message', () => {
  expect(saysWord('Can I talk to an Agent, please?', ['agent'])).toBe(true)
  expect(saysWord('I work at an agency', ['agent'])).toBe(false)
  const [long, because] = [
    'x '.repeat(60),
    'because my order of last week has not come and nobody has answered my mails',
  ]
  expect(saysWord(`${long}agent ${long}`, ['agent'])).toBe(false)
  expect(saysWord(`I want to talk to a human ${because}`, ['human'])).toBe(true)
  expect(saysWord(`${because}: let me talk to an agent`, ['agent'])).toBe(true)
  expect(saysWord('agent', ['', ' '])).toBe(false)
})
