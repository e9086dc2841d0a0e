import type { NodeSettings } from '@parley/contracts/automation/flow'
import { expect, test } from 'vitest'
import { fillIn, located, picture, refuse, tap, wait, write } from './interpreter-fixtures.ts'
import { choices, handedOver, type KindCase, named, over, played, type QuestionKind } from './kind-fixtures.ts'
import type { ScriptLine } from './play-script.ts'

const ask = (more: Partial<Extract<NodeSettings, { kind: 'ask' }>> = {}): NodeSettings => ({
  kind: 'ask',
  text: 'Which?',
  attribute: 'order',
  ...more,
})
const form = (more: Partial<Extract<NodeSettings, { kind: 'form' }>> = {}): NodeSettings => ({
  kind: 'form',
  text: 'Book a visit',
  button: 'Open',
  formId: '77',
  ...more,
})
const answered = (
  expects: Extract<NodeSettings, { kind: 'ask' }>['expects'],
  line: ScriptLine,
  value: string,
): KindCase => ({
  settings: ask({ expects }),
  lines: [write('hi'), line],
  does: ['say Which?', `set order=${value}`, 'say by next', ...over],
})
const unfit = (expects: Extract<NodeSettings, { kind: 'ask' }>['expects'], line: ScriptLine): KindCase => ({
  settings: ask({ expects }),
  lines: [write('hi'), line],
  does: ['say Which?', 'say Which?'],
})

const cases = named<QuestionKind>({
  ask: [
    answered('text', write(' 42 '), '42'),
    answered('text', write('first', 'second'), 'first\nsecond'),
    answered('number', write('1,5'), '1.5'),
    answered('email', write(' Meera@Shop.example '), 'meera@shop.example'),
    answered('phone', write('+91 98765-43210'), '+919876543210'),
    answered('date', write('24.11.2026'), '2026-11-24'),
    answered('location', located, '18.52,73.85'),
    answered('media', picture, 'image'),
    answered('any', picture, 'image'),
    unfit('text', picture),
    unfit('number', write('many')),
    unfit('email', write('meera@shop')),
    unfit('phone', write('98765')),
    unfit('date', write('tomorrow')),
    unfit('location', write('Pune')),
    unfit('media', write('later')),
    {
      settings: ask({ expects: 'number', invalidText: 'A number, please.', tries: 3 }),
      lines: [write('hi'), write('x'), write('y'), write('z')],
      does: [
        'say Which?',
        'say A number, please.',
        'say A number, please.',
        ...handedOver('The bot did not understand the answer.', 'Last message: z'),
      ],
    },
    {
      settings: ask({ expects: 'number' }),
      branches: ['next', 'invalid'],
      lines: [write('hi'), write('x'), write('y')],
      does: ['say Which?', 'say Which?', 'say by invalid', ...over],
    },
    {
      settings: ask({ timeoutSeconds: 60 }),
      branches: ['next', 'timeout'],
      lines: [write('hi'), wait(59), wait(1)],
      does: ['say Which?', 'say by timeout', ...over],
    },
    { settings: ask(), lines: [write('hi'), wait(23 * 3600)], does: ['say Which?', 'release', 'end abandoned'] },
    {
      settings: ask(),
      lines: [write('hi'), write('let me talk to an AGENT!')],
      does: ['say Which?', ...handedOver('The customer asks for a person.', 'Last message: let me talk to an AGENT!')],
    },
    {
      settings: ask(),
      lines: [write('hi'), write('from the agency')],
      does: ['say Which?', 'set order=from the agency', 'say by next', ...over],
    },
    {
      settings: ask({ save: 'session' }),
      lines: [write('hi'), write('42')],
      does: ['say Which?', 'say by next', ...over],
    },
    {
      settings: ask({ attribute: 'Delivered' }),
      attributes: [{ name: 'Delivered', label: 'Delivered', type: 'yes_no', choices: [] }],
      lines: [write('hi'), write('maybe'), write('Ja')],
      does: ['say Which?', 'say Which?', 'set Delivered=yes', 'say by next', ...over],
    },
    {
      settings: ask(),
      branches: ['next', 'failed'],
      lines: [write('hi'), refuse('set_attribute', 'validation_failed'), write('42')],
      does: ['say Which?', 'set order=42 !validation_failed', 'say by failed', ...over],
    },
    {
      settings: ask(),
      branches: ['failed'],
      lines: [refuse('send'), write('hi')],
      does: ['say Which? !window_closed', 'say by failed', ...over],
    },
  ],
  buttons: [
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      lines: [write('hi'), tap('Green tea')],
      does: ['buttons Black tea,Green tea', 'say by b', ...over],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      branches: ['a', 'b'],
      lines: [write('hi'), write('coffee'), write('black  TEA')],
      does: ['buttons Black tea,Green tea', 'buttons Black tea,Green tea', 'say by a', ...over],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices, tries: 1 },
      branches: ['a', 'invalid'],
      lines: [write('hi'), write('coffee')],
      does: ['buttons Black tea,Green tea', 'say by invalid', ...over],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices },
      lines: [write('hi'), picture, write('coffee')],
      does: [
        'buttons Black tea,Green tea',
        'buttons Black tea,Green tea',
        ...handedOver('The bot did not understand the answer.', 'Last message: coffee'),
      ],
    },
    {
      settings: { kind: 'buttons', text: 'Which?', choices, timeoutSeconds: 60 },
      branches: ['timeout'],
      lines: [write('hi'), wait(60)],
      does: ['buttons Black tea,Green tea', 'say by timeout', ...over],
    },
  ],
  form: [
    {
      settings: form(),
      branches: ['next'],
      lines: [write('hi'), fillIn({ 'Wanted day': 'Monday', Name: 'Meera' })],
      does: ['form 77 Book a visit', 'say by next', ...over],
    },
    // A form without fields is filled in all the same.
    {
      settings: form(),
      lines: [write('hi'), fillIn({})],
      does: ['form 77 Book a visit', 'say by next', ...over],
    },
    {
      settings: form({ invalidText: 'Please open the form.' }),
      branches: ['invalid'],
      lines: [write('hi'), write('on Monday'), write('Monday')],
      does: ['form 77 Book a visit', 'say Please open the form.', 'say by invalid', ...over],
    },
    {
      settings: form(),
      lines: [write('hi'), picture, write('Monday')],
      does: [
        'form 77 Book a visit',
        'form 77 Book a visit',
        ...handedOver('The bot did not understand the answer.', 'Last message: Monday'),
      ],
    },
    {
      settings: form({ timeoutSeconds: 60 }),
      branches: ['timeout'],
      lines: [write('hi'), wait(60)],
      does: ['form 77 Book a visit', 'say by timeout', ...over],
    },
    {
      settings: form(),
      branches: ['failed'],
      lines: [refuse('send', 'form_unavailable'), write('hi')],
      does: ['form 77 Book a visit !form_unavailable', 'say by failed', ...over],
    },
    // More than a session holds.
    {
      settings: form(),
      branches: ['failed'],
      lines: [
        write('hi'),
        fillIn(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`Q${at}`, 'x'.repeat(1000)]))),
      ],
      does: ['form 77 Book a visit', 'say by failed', ...over],
    },
  ],
  list: [
    {
      settings: { kind: 'list', text: 'Which?', button: 'Choose', rows: choices },
      branches: ['a', 'b'],
      lines: [write('hi'), tap('Black tea')],
      does: ['list Black tea,Green tea', 'say by a', ...over],
    },
    {
      settings: { kind: 'list', text: 'Which?', button: 'Choose', rows: choices, tries: 1 },
      branches: ['invalid'],
      lines: [write('hi'), write('coffee')],
      does: ['list Black tea,Green tea', 'say by invalid', ...over],
    },
  ],
})

test.each(cases)('%s', (_, one) => {
  expect(played(one)).toEqual(one.does)
})
