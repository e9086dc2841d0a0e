import { type FlowNodeType, type NodeKind, nodeKinds } from '@parley/contracts/automation/flow'
import type { FlowKind } from './builder-context.ts'

/** The kinds of a type that a bot or a workflow can have: a bot starts on messages, a workflow on events. */
export function kindsFor(what: FlowKind, type: FlowNodeType): readonly NodeKind[] {
  if (type !== 'trigger') return nodeKinds[type]
  return nodeKinds.trigger.filter((kind) => (kind === 'event') === (what === 'workflow'))
}

/** The type of what is dragged from the palette. */
export const dragType = 'application/x-parley-node'
