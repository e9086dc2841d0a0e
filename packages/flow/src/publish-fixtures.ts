import type { draw } from './interpreter-fixtures.ts'
import type { RoutedTrigger } from './keywords.ts'
import type { World } from './publish-problems.ts'

export type Drawn = Parameters<typeof draw>
export const world: World = { botId: 'own', numberIds: ['n1'] }
export const start = { kind: 'any_message' }
export const ask = { kind: 'ask', text: '?', attribute: 'x' }
export const say = { kind: 'send_text', text: 'Hi' }
export const assign = { kind: 'assign', to: { kind: 'queue' } }
export const bots = [
  { id: 'own', name: 'Own', isPublished: true, leadsTo: [] },
  { id: 'b', name: 'Orders', isPublished: true, leadsTo: ['c'] },
  { id: 'c', name: 'Returns', isPublished: true, leadsTo: ['own'] },
  { id: 'd', name: 'Drafts', isPublished: false, leadsTo: [] },
]
export const others = (
  match: RoutedTrigger['match'],
  keyword?: string,
  more: Partial<RoutedTrigger> = {},
): RoutedTrigger[] => [{ flowId: 'b', nodeId: 't', numberId: 'n1', order: 1, match, keyword, ...more }]
export const keyword = (word: string, match = 'word') => ({ kind: 'keyword', keywords: [word], match })
export const form = { kind: 'form', text: 'Book', button: 'Open', formId: '77' }
export const formWorld = (more: object): Partial<World> => ({
  forms: new Map([['77', { name: 'Visits', state: 'published', hasEndpoint: false, elsewhere: 'none', ...more }]]),
})

/** A node between a trigger and a hand-over. */
export const withNode = (node: Drawn[0][string], branch = 'next'): Drawn => [
  { start, node, assign },
  ['start.next>node', `node.${branch}>assign`],
]
