import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { InboxItem } from './inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { aboutRun } from './take-input.ts'
import type { Effects } from './world.ts'

type NotDelivered = Extract<InboxItem, { kind: 'not_delivered' }>

/** Leaves the customer of a session to people whose last answer was lost, once: the session has resolved nothing. */
export function leaveUndelivered(run: RunRecord, nodeId: string, { attention, passed }: Effects): void {
  const sentence =
    'An answer of a session that has ended could not be delivered: the customer has not read it. Answer them.'
  attention.push({ ...aboutRun(run), nodeId, code: 'not_delivered', sentence })
  if (run.conversationId !== undefined) passed.add(run.conversationId)
}

/** Finds what a session has sent itself, as far as that is known, and what was not delivered. */
export const undeliveredIn = ({ inbox }: RunRecord): NotDelivered | undefined =>
  inbox.find((item): item is NotDelivered => item.kind === 'not_delivered' && item.nodeId !== undefined)

/**
 * Notes that a session that has come to its end has resolved nothing.
 * @returns it; `null` where it has ended otherwise, or a person has answered since.
 */
export const noteUndelivered = (
  { collection }: Pick<RunsRepository, 'collection'>,
  scope: WorkspaceScope,
  { id, session }: Session & { readonly id: string },
): PromiseLike<RunRecord | null> =>
  collection(scope).findOneAndUpdate(
    { _id: id, kind: 'bot', outcome: 'completed', followedUp: { $exists: false } },
    { $set: { followedUp: true, uncounted: 'new' } },
    { session },
  )
