import { type DraftFlow, type NodeKind, nodeTypeOf } from '@parley/contracts/automation/flow'

type Node = { readonly id: string; readonly kind: NodeKind } & Readonly<Record<string, unknown>>

/**
 * A flow from its nodes, and edges as `from branch to`.
 * @example flowOf([{ id: 'hi', kind: 'keyword', … }, { id: 'answer', kind: 'send_text', text: 'Hello' }], ['hi next answer'])
 */
export function flowOf(nodes: readonly Node[], edges: readonly string[]): DraftFlow {
  return {
    format: 2,
    nodes: nodes.map(({ id, kind, ...settings }) => ({
      id,
      type: nodeTypeOf(kind),
      label: '',
      description: '',
      position: { x: 0, y: 0 },
      settings: { kind, ...settings },
    })),
    edges: edges.map((edge, index) => {
      const [source = '', branch = '', target = ''] = edge.split(' ')
      return { id: `e${index}`, source, branch, target }
    }),
  }
}

export const keyword = (id: string, word: string, settings: object = {}): Node => ({
  id,
  kind: 'keyword',
  keywords: [word],
  match: 'word',
  ...settings,
})
export const anyMessage: Node = { id: 'any', kind: 'any_message' }
export const text = (id: string, written: string): Node => ({ id, kind: 'send_text', text: written })
export const end: Node = { id: 'end', kind: 'end' }

/** Answers a word, and ends. */
export const greeting = flowOf([keyword('hi', 'hi'), text('hello', 'Hello!'), end], ['hi next hello', 'hello next end'])

/** Asks for a topic by buttons, then for a name, and repeats both. */
export const booking = flowOf(
  [
    keyword('book', 'book'),
    {
      id: 'what',
      kind: 'buttons',
      text: 'What would you like?',
      choices: [
        { id: 'table', title: 'A table' },
        { id: 'room', title: 'A room' },
      ],
    },
    { id: 'who', kind: 'ask', text: 'In whose name?', attribute: 'booked for' },
    text('table', 'A table for {{attributes.booked for}}.'),
    text('room', 'A room it is.'),
    end,
  ],
  ['book next what', 'what table who', 'what room room', 'who next table', 'table next end', 'room next end'],
)
