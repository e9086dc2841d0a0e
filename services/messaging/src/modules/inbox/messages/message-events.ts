import type { Said } from '@parley/contracts/platform/event-snapshots'
import type { NewEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { ratingIn } from '../ratings/rating-choice.ts'
import type { MessageRecord } from './messages.model.ts'

/** Message ids in one event at most. */
const maxNamed = 300

interface Earlier {
  readonly record: MessageRecord
  readonly from?: MessageRecord['status']
  readonly created?: boolean
}

/** Announces messages from before the number was connected, several in one event. */
export function emitHistory({ workspaceId }: WorkspaceScope, all: readonly Earlier[], tx: Tx): void {
  for (let at = 0; at < all.length; at += maxNamed) {
    const some = all.slice(at, at + maxNamed)
    const messageIds = some.map(({ record }) => record.id)
    const data = { messageIds, steps: some.map(stepOf) }
    tx.emit({ workspaceId, type: 'history.added', by: { kind: 'system' }, data })
  }
}

function stepOf({ record: { numberId, sentAt, direction, status, content }, from, created = false }: Earlier) {
  return {
    numberId,
    at: sentAt.toISOString(),
    direction,
    from: from ?? null,
    to: status ?? null,
    ...(created && { created: true as const }),
    ...(content.type === 'system' && { notice: true as const }),
  }
}

/** Returns the actor of a new message; WhatsApp reports its later states. */
function actorOf({ direction, cause: { kind, id } }: MessageRecord, isNew: boolean): NewEvent['by'] {
  if (direction === 'inbound') return { kind: 'contact' }
  if (!isNew) return { kind: 'system' }
  if (kind === 'member') return { kind: 'user', id }
  if (kind === 'api') return { kind: 'api_key', id }
  return kind === 'bot' || kind === 'workflow' || kind === 'campaign' ? { kind, id } : { kind: 'system' }
}

/**
 * Announces a message.
 * @param step.from status as it was read, where it may have moved.
 * @param step.said what a new message of a customer says.
 */
export function emitMessage(
  scope: WorkspaceScope,
  record: MessageRecord,
  tx: Tx,
  { created = false, from, said }: { created?: boolean; from?: MessageRecord['status']; said?: Said | undefined } = {},
): void {
  const moved = movedTo(record, created ? undefined : from)
  tx.emit({
    workspaceId: scope.workspaceId,
    type: 'message.changed',
    at: record.sentAt.toISOString(),
    recordId: record.id,
    version: record.version,
    conversationId: record.conversationId,
    contactId: record.contactId,
    by: actorOf(record, created),
    data: {
      messageId: record.id,
      conversationId: record.conversationId,
      direction: record.direction,
      status: record.status ?? null,
      ...(created && { created }),
      numberId: record.numberId,
      ...(record.direction === 'outbound' && { cause: record.cause.kind, causeId: record.cause.id }),
      ...(moved && { moved }),
      ...(record.dispatch?.state === 'cancelled' && record.status !== 'failed' && { takenBack: true }),
      ...(said && { said }),
      ...(record.direction === 'inbound' && ratingIn(record.content) && { rated: true }),
      ...(record.content.type === 'system' && { notice: true }),
    },
  })
}

/** Returns the step of an outbound message; a new one that is still to be sent has made none, and the sample data makes none. */
function movedTo({ direction, status, statusAt, sentAt, sample }: MessageRecord, from: MessageRecord['status']) {
  if (sample || direction !== 'outbound' || status === undefined || status === from) return undefined
  if (from === undefined && status === 'queued') return undefined
  return { from: from ?? null, to: status, at: (statusAt[status] ?? sentAt).toISOString() }
}
