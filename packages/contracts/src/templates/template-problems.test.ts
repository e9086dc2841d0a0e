import { expect, test } from 'vitest'
import type { TemplateButton } from './template-buttons.ts'
import { templateProblems } from './template-problems.ts'
import type { TemplateContent } from './templates.ts'

const content: TemplateContent = {
  name: 'order_update',
  language: 'en',
  category: 'utility',
  body: 'Hello {{1}}, your order is on its way.',
  buttons: [],
  examples: { 1: 'Asha' },
}
const problemsOf = (over: Partial<TemplateContent>) =>
  templateProblems({ ...content, ...over }).map(({ path, message }) => `${path.join('.')}: ${message}`)
const reply = (text: string): TemplateButton => ({ kind: 'quick_reply', text })
const link = (url: string, text = 'Open'): TemplateButton => ({ kind: 'url', text, url })
const call = (phone: string, text = 'Call'): TemplateButton => ({ kind: 'phone', text, phone })

test('what follows the rules has no problem', () => {
  const buttons = [reply('Yes'), reply('No'), link('https://chai.example/o/{{1}}'), call('+918041234567')]
  expect(problemsOf({ buttons, header: 'For {{1}}', footer: 'Chai & Co' })).toEqual([])
})

test.each<[string, Partial<TemplateContent>, RegExp]>([
  ['own words of an authentication template', { category: 'authentication' }, /^category: WhatsApp writes/],
  ['a variable at the edge', { body: 'Hello to you, {{1}}' }, /^body: .*cannot end/],
  ['no sample value', { examples: {} }, /^examples\.1: Enter a sample value/],
  ['a sample with a line break', { examples: { 1: 'Asha\nRao' } }, /^examples\.1: .*line breaks/],
  ['a sample with a tab', { examples: { 1: 'Asha\tRao' } }, /^examples\.1: .*tabs/],
  ['a sample with five spaces', { examples: { 1: 'Asha     Rao' } }, /^examples\.1: .*four spaces/],
  [
    'a third website',
    { buttons: ['a', 'b', 'c'].map((text) => link('https://chai.example', text)) },
    /^buttons: At most 2/,
  ],
  ['a second call', { buttons: [call('+918041234567'), call('+918041234568', 'Ask')] }, /^buttons: At most one/],
  ['replies apart', { buttons: [reply('Yes'), link('https://chai.example'), reply('No')] }, /^buttons: Quick replies/],
  ['one text twice', { buttons: [reply('Yes'), reply(' yes ')] }, /^buttons\.1\.text: Another button/],
  ['a variable in a button', { buttons: [reply('Hi {{1}}')] }, /^buttons\.0\.text: .*cannot contain variables/],
  ['an IP address', { buttons: [link('http://10.0.0.7/shop')] }, /^buttons\.0\.url: .*IP/],
  ['an IPv6 address', { buttons: [link('http://[::1]/shop')] }, /^buttons\.0\.url: .*IP/],
  [
    'a variable in the host of a counted link',
    {
      buttons: [{ ...link('https://chai.example{{1}}'), tracked: 'https://links.example.com/l/' }] as TemplateButton[],
    },
    /^buttons\.0\.url: .*after the name/,
  ],
  ['a phone without a country', { buttons: [call('080 4123 4567')] }, /^buttons\.0\.phone: .*country code/],
])('%s is refused beside its field', (_, over, expected) => {
  expect(problemsOf(over)).toEqual([expect.stringMatching(expected)])
})
