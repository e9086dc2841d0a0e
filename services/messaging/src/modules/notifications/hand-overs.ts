import { afterOpenSeconds } from '@parley/contracts/inbox/open-time'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type AddNotifications, titled } from '../../platform/notification.ts'
import type { ConversationsRepository, ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { OpeningHoursService } from '../inbox/opening-hours/opening-hours.service.ts'
import { type HandOverRecord, handOverSchema, watched } from './hand-overs.model.ts'

/** Seconds of opening hours in which somebody is to take a conversation that a bot has handed over. */
const takenWithinSeconds = 600
const maxDue = 500

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly conversationRecords: Pick<ConversationsRepository, 'read'>
  readonly conversations: Pick<ConversationsService, 'showAll'>
  readonly openingHours: Pick<OpeningHoursService, 'read'>
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

/** Watches conversations that bots hand over: where nobody takes one in time, all who answer customers are told. */
export function createHandOvers(deps: Dependencies) {
  const { mongo, conversationRecords, openingHours, transaction, now = () => new Date() } = deps
  const definition = { connection: mongo, name: 'handOvers', schema: handOverSchema, bookkeeping: true } as const
  const handOvers = workspaceCollection<HandOverRecord>(definition)
  const onWatch = scopedCollection<object, HandOverRecord>(definition, () => ({ watch: watched }))

  /** Watches what events hand over, in the transaction that marks them as read. */
  async function watch(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const { session } = tx
    const found = new Map(events.flatMap(handedOverIn))
    if (found.size === 0) return
    const hours = await openingHours.read(scope, { session })
    for (const [conversationId, at] of found) {
      const dueAt = afterOpenSeconds(hours, at, takenWithinSeconds)
      if (dueAt)
        await handOvers(scope).updateOne(
          { conversationId },
          { $set: { watch: watched, dueAt } },
          { session, upsert: true },
        )
    }
  }

  const due = async () =>
    (
      await onWatch({})
        .find({ dueAt: { $lte: now() } })
        .sort({ dueAt: 1 })
        .limit(maxDue)
        .hint('due')
    ).map(({ id: recordId, workspaceId }) => ({ id: recordId, workspaceId }))

  /** Tells of a conversation that still waits for somebody. */
  const perform = ({
    workspaceId,
    id: recordId,
  }: {
    readonly workspaceId: string
    readonly id: string
  }): Promise<void> =>
    transaction(async (tx) => {
      const scope = { workspaceId }
      const { session } = tx
      const record = await handOvers(scope).findOne({ _id: recordId }, { session })
      if (!record || record.dueAt > now()) return
      const { conversationId } = record
      await handOvers(scope).deleteMany({ _id: recordId }, { session })
      const current = await conversationRecords.read(scope, conversationId, { session })
      const { status, owner, forPersonSince } = current ?? {}
      if (!current || status !== 'open' || owner?.kind !== 'nobody' || !forPersonSince) return
      const [shown] = await deps.conversations.showAll(scope, [current])
      await deps.addNotifications(
        scope,
        [
          {
            key: `handed-over:${conversationId}:${forPersonSince.getTime()}`,
            category: 'team',
            severity: 'warning',
            title: titled(shown?.contact.name ?? 'A customer', 'waits, and nobody has taken over'),
            body: 'A bot has handed this conversation over, and it is still unassigned.',
            action: 'Open the conversation',
            object: { kind: 'conversation', id: conversationId },
            at: record.dueAt,
          },
        ],
        tx,
      )
    })

  return { watch, due, perform }
}

/** Returns the conversation that a bot or workflow has handed over to nobody in particular, and when. */
function handedOverIn(event: RecordedEvent): [string, Date][] {
  if (event.type !== 'conversation.changed' || (event.by.kind !== 'bot' && event.by.kind !== 'workflow')) return []
  const { conversation, became } = event.data
  const isWaiting = conversation.status === 'open' && conversation.waitingSince !== undefined
  return became?.owned && conversation.owner.kind === 'nobody' && isWaiting
    ? [[conversation.id, new Date(event.recordedAt)]]
    : []
}
