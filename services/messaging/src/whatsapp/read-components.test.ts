import type { TemplateContent } from '@parley/contracts/templates'
import { createStory } from '@parley/sample/story'
import { expect, test } from 'vitest'
import { readComponents } from './read-components.ts'
import { definitionOf } from './template-components.ts'

const again = (content: TemplateContent) => {
  const { name, language, category } = content
  return { name, language, category, ...readComponents(definitionOf(content).components).content }
}

test('what is read of a template is, written again, the same at WhatsApp', () => {
  const templates = [...createStory({ now: new Date() }).templates.values()]
  expect(templates).not.toHaveLength(0)
  for (const template of templates)
    expect(definitionOf(again(template)).components, template.name).toEqual(definitionOf(template).components)
})

test('each part’s variables become variables of the whole template', () => {
  const { content, unsupported } = readComponents([
    { type: 'header', format: 'text', text: 'Order {{1}}', example: { header_text: ['CC-1'] } },
    { type: 'BODY', text: 'Hi {{1}}, it comes on {{2}}. Bye.', example: { body_text: [['Asha', 'Friday']] } },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', example: ['https://a.example/77'] }],
    },
  ])
  expect(unsupported).toEqual([])
  expect(content).toEqual({
    header: 'Order {{3}}',
    body: 'Hi {{1}}, it comes on {{2}}. Bye.',
    buttons: [{ kind: 'url', text: 'Track', url: 'https://a.example/{{4}}' }],
    examples: { 1: 'Asha', 2: 'Friday', 3: 'CC-1', 4: '77' },
  })
})

test.each([
  ['nothing', [], ['text that Parley cannot show']],
  ['no objects', [null, 7, 'x'], ['text that Parley cannot show', 'a part that Parley does not know']],
  ['a part of a later version', [{ type: 'BODY', text: 'Hi' }, { type: 'HOLOGRAM' }], ['hologram']],
  [
    'parts with other shapes',
    [
      { type: 'BODY', text: 'Hi', example: 5 },
      { type: 'BUTTONS', buttons: 'none' },
    ],
    ['buttons'],
  ],
])('%s is read without an error', (_, components, unsupported) => {
  expect(readComponents(components).unsupported).toEqual(unsupported)
})
