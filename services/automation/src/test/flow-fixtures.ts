type Settings = { readonly kind: string } & Record<string, unknown>
type FlowNode = { readonly id: string; readonly type: string; readonly settings: Settings }

const typeOf = ({ kind }: Settings): string =>
  ['keyword', 'any_message', 'handed_over', 'event', 'schedule', 'hook'].includes(kind)
    ? 'trigger'
    : kind === 'wait_time'
      ? 'delay'
      : 'action'

/** Nodes that follow each other, in the form in which the builder sends them. */
export function flowOf(...steps: readonly Settings[]) {
  const nodes: FlowNode[] = steps.map((settings, index) => ({ id: `n${index}`, type: typeOf(settings), settings }))
  return {
    format: 2,
    nodes: nodes.map((node, index) => ({ ...node, label: '', description: '', position: { x: 0, y: 100 * index } })),
    edges: nodes
      .slice(1)
      .map(({ id }, index) => ({ id: `e${index}`, source: `n${index}`, target: id, branch: 'next' })),
  }
}

export const keyword = (...keywords: readonly string[]): Settings => ({ kind: 'keyword', keywords, match: 'exact' })
export const say = (text: string): Settings => ({ kind: 'send_text', text })
export const toPeople: Settings = { kind: 'assign', to: { kind: 'queue' } }

/** Answers a keyword and hands over; it can be published without warnings. */
export const soundFlow = (...keywords: readonly string[]) => flowOf(keyword(...keywords), say('Hello!'), toPeople)

/** Tags a contact who got another tag; it can be published without warnings. */
export const soundWorkflow = (tag: string) =>
  flowOf(
    {
      kind: 'event',
      event: 'contact.tag_added',
      filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value: tag }] },
    },
    { kind: 'add_tag', tag: 'seen' },
  )
