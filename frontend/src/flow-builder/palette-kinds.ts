import { type FlowNodeType, type NodeKind, nodeKinds } from '@parley/contracts/automation/flow'
import { runnableKinds } from '@parley/flow/publish-problems'
import type { FlowKind } from './builder-context.ts'

/** The kinds of a type that a bot or a workflow can have: a bot starts on messages, a workflow on events. Bots make no calls yet. */
export function kindsFor(what: FlowKind, type: FlowNodeType): readonly NodeKind[] {
  if (type !== 'trigger') return nodeKinds[type].filter((kind) => what === 'workflow' || runnableKinds.has(kind))
  return nodeKinds.trigger.filter((kind) => (kind === 'event') === (what === 'workflow'))
}

/** The type of what is dragged from the palette. */
export const dragType = 'application/x-parley-node'
