import { templateProblem, type Usage } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'

type Stored = Pick<MessageRecord, 'sentAt' | 'createdAt'>

/** Reads of the messages of a conversation. */
export interface ThreadReads {
  readonly latestInbound: (scope: WorkspaceScope, conversationId: string, since: Date) => Promise<Stored | null>
  readonly templatesSince: (scope: WorkspaceScope, conversationId: string, since: Stored) => Promise<number>
}

const answerableMs = 7 * 86_400_000

/**
 * Checks whether a person may send a template once the plan is used up: to a contact who has written in the last 7 days one, as
 * an answer; it is counted anyway. To others none, until there is room again.
 */
export function createCheckTemplate({
  usage,
  messages,
  now = () => new Date(),
}: {
  usage: (scope: WorkspaceScope) => Promise<Usage>
  messages: ThreadReads
  now?: Clock
}) {
  /** @throws `quota_reached`. */
  return async function checkTemplate(scope: WorkspaceScope, conversationId: string): Promise<void> {
    const problem = templateProblem(await usage(scope))
    if (problem === undefined) return
    const written = await messages.latestInbound(scope, conversationId, new Date(now().getTime() - answerableMs))
    if (written && (await messages.templatesSince(scope, conversationId, written)) === 0) return
    throw new AppError('quota_reached', problem)
  }
}
