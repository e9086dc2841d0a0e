import type { DraftFlow } from '@parley/contracts/automation/flow'
import { type NodeSettings, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { matchesGroup } from './conditions.ts'
import { readField } from './fields.ts'
import type { FlowInput, FlowState } from './state.ts'

/** Rank of a trigger's match: the more specific one wins, of equals the first. */
const ranks = { exact: 3, contains: 2, any_message: 1, event: 1 } as const

/** The node that this input starts the flow with. */
export function triggerFor(flow: DraftFlow, state: FlowState, input: FlowInput): string | undefined {
  let best: { id: string; rank: number } | undefined
  for (const node of flow.nodes) {
    if (node.type !== 'trigger') continue
    const settings = nodeSettingsSchema.safeParse(node.settings)
    const rank = settings.success ? rankOf(settings.data, state, input) : 0
    if (rank > (best?.rank ?? 0)) best = { id: node.id, rank }
  }
  return best?.id
}

function rankOf(settings: NodeSettings, state: FlowState, input: FlowInput): number {
  if (input.type === 'message') {
    if (settings.kind === 'any_message') return ranks.any_message
    if (settings.kind !== 'keyword') return 0
    return matchesKeyword(settings, input.text) ? ranks[settings.match] : 0
  }
  if (input.type !== 'event' || settings.kind !== 'event' || settings.event !== input.event) return 0
  const read = (field: string) =>
    input.fields && Object.hasOwn(input.fields, field) ? input.fields[field] : readField(state, field)
  const fits = !settings.filter || matchesGroup(settings.filter, read, new Date(input.at))
  return fits ? ranks.event : 0
}

const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase()

function matchesKeyword({ keywords, match }: Extract<NodeSettings, { kind: 'keyword' }>, text: string): boolean {
  const written = plain(text)
  return keywords.some((keyword) => (match === 'exact' ? written === plain(keyword) : written.includes(plain(keyword))))
}
