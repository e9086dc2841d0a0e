import { expect, test } from 'vitest'
import { whoBreaks } from './template-breaks.ts'
import type { TemplateContent } from './templates.ts'

const from: TemplateContent = {
  name: 'tea',
  language: 'en',
  category: 'marketing',
  buttons: [],
  examples: { 1: 'Asha', 2: 'Friday' },
  body: 'Hi {{1}}, our tea comes on {{2}} to you.',
}
const variables = { 1: 'first name', 2: 'Friday' }

test.each<[string, Partial<TemplateContent>, object[]]>([
  ['other words', { body: 'Hello {{1}}, your tea comes on {{2}} to you.', footer: 'Chai & Co' }, []],
  ['a text above it', { header: 'News' }, []],
  ['a variable that is gone', { body: 'Hi {{1}}, our tea comes.' }, [{ kind: 'variable_gone', key: '2' }]],
  [
    'a new variable',
    { body: 'Hi {{1}}, our tea of {{3}} comes on {{2}} to you.' },
    [{ kind: 'variable_new', key: '3' }],
  ],
  [
    'a variable with another name',
    { body: 'Hi {{1}}, our tea comes on {{day}} to you.' },
    [
      { kind: 'variable_gone', key: '2' },
      { kind: 'variable_new', key: 'day' },
    ],
  ],
  ['a picture', { headerMedia: { kind: 'image' } }, [{ kind: 'header_changed' }]],
  ['another category', { category: 'utility' }, [{ kind: 'category_changed' }]],
])('%s', (_, over, breaks) => {
  expect(whoBreaks([{ variables }], from, { ...from, ...over })).toEqual([breaks])
})

test('each is judged by what it fills in; with the template all of them go', () => {
  const to = { ...from, body: 'Hi {{1}}, our tea comes to you.' }
  expect(whoBreaks([{ variables }, { variables: { 1: 'x' } }], from, to)).toEqual([
    [{ kind: 'variable_gone', key: '2' }],
    [],
  ])
  // A use that already has a value for the new variable does not break.
  const more = { ...from, body: 'Hi {{1}}, our tea of {{3}} comes on {{2}} to you.' }
  expect(whoBreaks([{ variables: { ...variables, 3: 'x' } }], from, more)).toEqual([[]])
  expect(whoBreaks([{ variables }, { variables }], from, undefined)).toEqual([
    [{ kind: 'deleted' }],
    [{ kind: 'deleted' }],
  ])
})
