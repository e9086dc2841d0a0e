import { hasAnswered } from './actions-of.ts'
import type { InboundMessage } from './inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { Effects } from './world.ts'

/** Messages for which nobody but this run is there, the oldest first: what it has not taken, and what it has not answered. */
export function leftOf({ holds, collect, todo, inbox }: RunRecord): InboundMessage[] {
  if (!holds) return []
  const taken = todo && !hasAnswered(todo) ? todo.message : undefined
  const waiting = inbox.filter((item) => item.kind === 'message')
  // Absent fields of a stored `todo` come back as `null`.
  return [collect?.first, taken, ...waiting].filter((message) => message != null)
}

/** Leaves messages to people, unless these have the conversation anyway. */
export function leaveToPeople(messages: readonly InboundMessage[], { passed }: Pick<Effects, 'passed'>): void {
  for (const { context } of messages) passed.add(context.conversationId)
}
