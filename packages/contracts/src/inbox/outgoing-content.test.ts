import { expect, test } from 'vitest'
import { outgoingContentSchema, questionLimits } from './outgoing-content.ts'

const option = (title: string, over: object = {}) => ({ id: `id-${title}`, title, ...over })
const question = (over: object) => ({ type: 'interactive', text: 'Which?', options: [option('One')], ...over })
const problems = (content: object) =>
  outgoingContentSchema.safeParse(content).error?.issues.map(({ path, message }) => [path.join('.'), message])

test('a question has up to three reply buttons, or a list of up to ten', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => option(`Option ${index}`))
  expect(problems(question({ options: many(3), footer: 'Today only' }))).toBeUndefined()
  expect(problems(question({ options: many(4) }))).toEqual([['options', 'At most 3 reply buttons']])
  expect(problems(question({ button: 'Open', options: many(10) }))).toBeUndefined()
  expect(problems(question({ button: 'Open', options: many(11) }))?.[0]?.[0]).toBe('options')
})

test.each<[string, object, string]>([
  [
    'a title that is too long for a button',
    { options: [option('x'.repeat(questionLimits.buttonTitle + 1))] },
    'options.0.title',
  ],
  ['a description on a button', { options: [option('One', { description: 'More' })] }, 'options.0.description'],
  ['two options of one title', { options: [option('One'), option('One', { id: 'other' })] }, 'options'],
  ['two options of one id', { options: [option('One'), option('Two', { id: 'id-One' })] }, 'options'],
  ['a footer below a list', { button: 'Open', footer: 'Small' }, 'footer'],
  ['no text', { text: '  ' }, 'text'],
  ['no option', { options: [] }, 'options'],
])('%s is refused where it is', (_name, over, path) => {
  expect(problems(question(over))?.map(([where]) => where)).toContain(path)
})

test('a contact card has a name and numbers that can exist', () => {
  const card = (name: string, phone: string) => ({ type: 'contacts', contacts: [{ name, phones: [phone] }] })
  expect(problems(card('Asha', '+919812300009'))).toBeUndefined()
  expect(problems(card('', '+919812300009'))?.[0]?.[0]).toBe('contacts.0.name')
  expect(problems(card('Asha', '12'))?.[0]?.[0]).toBe('contacts.0.phones.0')
})
