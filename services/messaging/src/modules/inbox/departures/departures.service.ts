import type { ServiceMessage } from '@parley/contracts/platform/service-messages'
import { createInbox } from '@parley/service-kit/data/inbox'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { AssignmentService } from '../assignment/assignment.service.ts'
import type { ConversationsRepository } from '../conversations/conversations.service.ts'
import type { DeparturesRepository } from './departures.repository.ts'

/** Names and roles of members are kept for a minute by each process: a little longer. */
const knownForMs = 90_000
const batch = 500

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly departures: DeparturesRepository
  readonly conversations: Pick<ConversationsRepository, 'idsOfMember'>
  readonly takeBack: (
    scope: WorkspaceScope,
    id: string,
    left: { readonly userId: string; readonly by: string },
  ) => Promise<boolean>
  readonly leaveOut: AssignmentService['leaveOut']
  readonly transaction: RunInTransaction
  readonly queue: (records: readonly { readonly id: string; readonly workspaceId: string }[]) => Promise<void>
  readonly now?: () => Date
}

/** Applies profile's changes of members: tells pages, and gives conversations of a member who has left back to the team. */
export function createDepartures(deps: Dependencies) {
  const { mongo, departures, conversations, takeBack, leaveOut, transaction, queue, now = () => new Date() } = deps

  async function apply(workspaceId: string, { by, data }: ServiceMessage, tx: Tx): Promise<void> {
    const scope = { workspaceId }
    const { memberId, userId, status, version } = data
    tx.emit({ workspaceId, type: 'member.changed', recordId: memberId, version, by, data })
    const { session } = tx
    if (status === 'active') return void (await departures.forget(scope, userId, { session }))
    await leaveOut(scope, userId, { session })
    const until = new Date(now().getTime() + knownForMs)
    await departures.begin(scope, { userId, by: by.id ?? userId, until, dueAt: now() }, { session })
  }
  const applyAll = createInbox({ connection: mongo, transaction, apply })

  /** Applies messages of profile about a workspace in their order, each once. */
  async function receive(scope: WorkspaceScope, messages: readonly ServiceMessage[]): Promise<void> {
    await applyAll(scope.workspaceId, messages)
    if (messages.some(({ data }) => data.status === 'removed')) await queue(await due())
  }

  /** Finds departures that are due. */
  const due = async () => (await departures.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId }))

  /** Takes back what a member who has left still owns, and once more when every process knows that they have left. */
  async function perform({ id, workspaceId }: { readonly id: string; readonly workspaceId: string }): Promise<void> {
    const scope = { workspaceId }
    const departure = await departures.find(scope, id)
    if (!departure) return
    const { userId, by } = departure
    await transaction((tx) => leaveOut(scope, userId, tx))
    for (let hasMore = true; hasMore; ) {
      const owned = await conversations.idsOfMember(scope, userId, batch)
      hasMore = false
      for (const conversationId of owned) hasMore = (await takeBack(scope, conversationId, { userId, by })) || hasMore
    }
    if (departure.until > now()) await departures.postpone(scope, departure)
    else await departures.end(scope, departure)
  }

  return { receive, due, perform }
}
