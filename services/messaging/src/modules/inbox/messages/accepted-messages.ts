import type { Template } from '@parley/contracts/templates/templates'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import { emitMessage } from './message-events.ts'
import type { MessageRecord } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'
import { summaryLine } from './summary-line.ts'

/** A queued message of a campaign that WhatsApp has accepted. */
export interface AcceptedMessage {
  readonly messageId: string
  /** Version with which it was claimed. */
  readonly version: number
  readonly waMessageId: string
  /** Category of the template. */
  readonly category?: Template['category'] | undefined
}

/** Messages of a workspace that were accepted together; `id` is the mark that each of them carries. */
export interface Acceptance {
  readonly id: string
  readonly at: Date
  readonly accepted: readonly AcceptedMessage[]
}

type Session = Pick<Tx, 'session'>
export interface AcceptedDependencies {
  readonly messageRecords: Pick<MessagesRepository, 'change' | 'readMany'>
  readonly conversations: Pick<ConversationsService, 'announce' | 'showMessages'>
  readonly recount: {
    /** Writes outside of a transaction into rows of campaigns that their messages were accepted. @returns whether each of them waited for that. */
    readonly noteAccepted: (scope: WorkspaceScope, ids: readonly string[]) => Promise<boolean>
    /** Writes into rows of campaigns what their messages have come to. */
    readonly noteMessages: (scope: WorkspaceScope, changed: readonly MessageRecord[], tx: Session) => Promise<void>
    /** Has rows of campaigns counted. */
    readonly hintMessages: (scope: WorkspaceScope, changed: readonly MessageRecord[]) => void
  }
  readonly contactRecords: {
    /** Records that WhatsApp has accepted marketing to these contacts. */
    readonly noteMarketing: (
      scope: WorkspaceScope,
      contactIds: readonly string[],
      at: Date,
      tx: Session,
    ) => Promise<unknown>
  }
}

/**
 * Settles accepted messages of campaigns in steps, of which the first two need no transaction: in one, MongoDB 6.0 takes many times
 * as long to change an indexed field. Each step may be done again, by another process as well; whoever records them sees to it that
 * `follow` is done once.
 */
export function createAcceptedMessages({
  messageRecords: messages,
  conversations,
  recount,
  contactRecords,
}: AcceptedDependencies) {
  /** Writes down that they were accepted, each where it is as it was claimed. @returns the ids of those that were, now or at an earlier try. */
  async function write(scope: WorkspaceScope, { id: mark, accepted }: Acceptance): Promise<ReadonlySet<string>> {
    const changes = accepted.map(({ messageId: id, version, waMessageId }) => ({
      id,
      version,
      set: { waMessageId, 'dispatch.state': 'accepted', 'dispatch.claim': mark },
      unset: ['sendLane', 'dispatch.leaseUntil'],
    }))
    const ids = accepted.map(({ messageId }) => messageId)
    const matched = await messages.change(scope, changes).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
      return undefined
    })
    if (matched === accepted.length) return new Set(ids)
    const idAt = new Map(accepted.map(({ messageId, waMessageId }) => [messageId, waMessageId]))
    const found = await messages.readMany(scope, ids)
    const own = found.filter(
      ({ id, dispatch, formerWaMessageIds = [] }) =>
        // A person may have sent it again by now.
        dispatch?.claim === mark || formerWaMessageIds.includes(idAt.get(id) ?? ''),
    )
    return new Set(own.map(({ id }) => id))
  }

  /** Writes down what follows from `write`: events, contacts, conversations, and rows where they had gone on. @param own ids that `write` has returned. */
  async function follow(
    scope: WorkspaceScope,
    { at, accepted }: Acceptance,
    { own, hasRows }: { own: ReadonlySet<string>; hasRows: boolean },
    tx: Tx,
  ): Promise<void> {
    const records = await messages.readMany(scope, [...own], { session: tx.session })
    const acceptedAs = new Map(accepted.map((message) => [message.messageId, message]))
    for (const record of records) {
      const { version = 0 } = acceptedAs.get(record.id) ?? {}
      // A status may have moved it on, and has said so by an event of its own.
      emitMessage(scope, { ...record, status: 'queued', version: version + 1, dispatch: undefined }, tx, {
        from: 'queued',
      })
    }
    if (hasRows) recount.hintMessages(scope, records)
    else await recount.noteMessages(scope, records, tx)
    const marketed = records.filter(({ id, pricing }) =>
      (acceptedAs.get(id)?.category ?? pricing?.category)?.startsWith('marketing'),
    )
    const contactIds = [...new Set(marketed.map(({ contactId }) => contactId))]
    if (contactIds.length > 0) await contactRecords.noteMarketing(scope, contactIds, at, tx)
    const shown = records.map(({ id: messageId, conversationId, content, deletedAt, status }) => ({
      conversationId,
      messageId,
      text: summaryLine(content, deletedAt),
      status,
      answeredAt: at,
    }))
    await conversations.announce(scope, await conversations.showMessages(scope, shown, { session: tx.session }), tx)
  }

  /** Brings rows up to their messages, where another process has done what follows. */
  const repairRows = async (scope: WorkspaceScope, own: ReadonlySet<string>, tx: Tx): Promise<void> =>
    recount.noteMessages(scope, await messages.readMany(scope, [...own], { session: tx.session }), tx)

  return {
    write,
    noteRows: (scope: WorkspaceScope, own: ReadonlySet<string>) => recount.noteAccepted(scope, [...own]),
    follow,
    repairRows,
  }
}
