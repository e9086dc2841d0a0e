import { type FlowNodeType, type NodeKind, nodeKinds } from '@parley/contracts/automation/flow'
import { isRunnable } from '@parley/flow/publish-problems'
import type { FlowKind } from './builder-context.ts'

/** The kinds of a type that a bot or a workflow can have: a bot starts on messages, a workflow on events. */
export function kindsFor(what: FlowKind, type: FlowNodeType): readonly NodeKind[] {
  return nodeKinds[type].filter((kind) => isRunnable(kind, what))
}

/** The type of what is dragged from the palette. */
export const dragType = 'application/x-parley-node'
