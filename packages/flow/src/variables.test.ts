import { expect, test } from 'vitest'
import { fillVariables, variablesIn } from './variables.ts'

const values = {
  person: {
    name: ' Asha Rao',
    phone: '+919876543210',
    tags: ['vip'],
    attributes: { city: 'Pune', empty: ' ', 'Order date': '2026-03-01', शहर: 'पुणे' },
  },
  session: { size: 'XL' },
  lastAnswer: 'a/b?c=1&d',
}

test.each([
  ['Hi {{first_name}} {{ name }} {{firstName}}', 'Hi Asha Asha Rao Asha'],
  [
    '{{city}} {{attributes.city}} {{Order date}} {{attributes.Order date}} {{शहर}}',
    'Pune Pune 2026-03-01 2026-03-01 पुणे',
  ],
  ['{{session.size}}{{session.gone}}', 'XL'],
  ['{{gone|there}} {{empty|there}} {{city|there}} {{gone}}.', 'there there Pune .'],
  ['{{constructor}}{{session.__proto__}}{{tags}}', ''],
  ['{{city', '{{city'],
  ['{ {city}} {{{city}}}', '{ {city}} {Pune}'],
])('%s reads %s', (text, filled) => {
  expect(fillVariables(text, values)).toBe(filled)
})

test('a name that is none greets nobody', () => {
  const unnamed = { ...values, person: { ...values.person, name: '+919876543210' } }
  expect(fillVariables('Hi {{first_name|there}}, {{name}}', unnamed)).toBe('Hi there, ')
})

test('the variables of a text are found, with whether they have a fallback', () => {
  expect(variablesIn('{{ a }} {{b|c}} {{d| }} {{attributes.Order date}}')).toEqual([
    { name: 'a', hasFallback: false },
    { name: 'b', hasFallback: true },
    { name: 'd', hasFallback: false },
    { name: 'attributes.Order date', hasFallback: false },
  ])
})
