import { expect, test } from 'vitest'
import { asha, draw, monday10, tap, wait, write } from './interpreter-fixtures.ts'
import { playScript, type ScriptLine } from './play-script.ts'
import { compileFlow } from './program.ts'
import { defaultSettings } from './state.ts'
import { firstLineDifference, transcriptLines } from './transcript-lines.ts'

const question = (id: string, text = 'Size?', title = 'Large') =>
  draw(
    {
      start: { kind: 'keyword', keywords: ['order'], match: 'word' },
      [id]: { kind: 'buttons', text, choices: [{ id: `${id}-l`, title }] },
      tag: { kind: 'add_tag', tag: 'large' },
      template: { kind: 'send_template', templateId: 't1', variables: { b: '2', a: '1' } },
    },
    [`start.next>${id}`, `${id}.${id}-l>tag`, 'tag.next>template'],
  )
const linesOf = (flow: ReturnType<typeof question>, ...lines: ScriptLine[]) =>
  transcriptLines(playScript(compileFlow(flow), { at: monday10, person: asha, settings: defaultSettings, lines }))
const script = [write('order'), tap('Large'), wait(60)]

test('a transcript is told in lines, with options by their titles and templates by their id', () => {
  expect(linesOf(question('size'), ...script).map(({ nodeId: _, ...line }) => line)).toEqual([
    { by: 'customer', text: 'order' },
    { by: 'bot', text: 'Size?', options: ['Large'] },
    { by: 'customer', text: 'Large' },
    { by: 'bot', text: 'Tag large' },
    { by: 'bot', text: 'Template a: 1 b: 2', about: { kind: 'template', id: 't1' } },
    { by: 'end', text: 'completed' },
  ])
})

test('ids of nodes and choices make no difference; texts, titles and what is missing do', () => {
  const before = linesOf(question('size'), ...script)
  expect(firstLineDifference(before, linesOf(question('other'), ...script))).toBeUndefined()
  expect(firstLineDifference(before, linesOf(question('size', 'Which size?'), ...script))).toMatchObject({
    index: 1,
    expected: { text: 'Size?' },
    found: { text: 'Which size?' },
  })
  expect(firstLineDifference(before, linesOf(question('size', 'Size?', 'Small'), ...script))?.index).toBe(1)
  expect(firstLineDifference(before, before.slice(0, 5))).toMatchObject({ index: 5, expected: { by: 'end' } })
  expect(firstLineDifference(before.slice(0, 5), before)).not.toHaveProperty('expected')
})
