import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessageRecord, MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { Recount } from '../run/recount.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
/**
 * Milliseconds in which a message that quotes a campaign's message answers it, and in which one without a quote answers the
 * latest one.
 */
const quotedForMs = 7 * dayMs
const followsForMs = 72 * hourMs
/** Messages are found by when they were queued, and may have waited: for a pause, or for sending hours. */
const waitedMs = 3 * dayMs

/** Something that a customer has written. */
export interface Written {
  readonly messageId: string
  readonly conversationId: string
  readonly at: Date
  /** Our id of the message that it quotes. */
  readonly replyTo?: string | undefined
  /** A quick reply of the quoted template was pressed. */
  readonly isPress: boolean
  /** True where it asks for no more messages: that counts as an opt-out, not as a reply. */
  readonly isStop: boolean
}

type Sent = Pick<MessageRecord, 'id' | 'conversationId' | 'sentAt' | 'statusAt' | 'status' | 'dispatch' | 'cause'>

type DispatchState = NonNullable<Sent['dispatch']>['state']
const waits: readonly (DispatchState | undefined)[] = ['queued', 'held', 'failed', 'cancelled']
const hasLeft = ({ status, dispatch }: Sent): boolean => status !== 'failed' && !waits.includes(dispatch?.state)
/** The platform's times are whole seconds: an answer at once would be older than what it answers. */
const leftAt = ({ statusAt, sentAt }: Sent): number => Math.floor((statusAt.sent ?? sentAt).getTime() / 1000) * 1000

/**
 * Returns the campaign's message that each customer has answered: the one that they quote, or else the latest before it. One
 * answer is one campaign's, in whatever order messages come.
 * @param sent messages of campaigns in the same conversations.
 */
export function answersOf(written: readonly Written[], sent: readonly Sent[]) {
  const left = Map.groupBy(sent.filter(hasLeft), ({ conversationId }) => conversationId)
  return written.flatMap(({ messageId, conversationId, at, replyTo, isPress, isStop }) => {
    const sentInConversation = left.get(conversationId) ?? []
    const quoted = replyTo === undefined ? undefined : sentInConversation.find(({ id }) => id === replyTo)
    const latest = sentInConversation
      .filter((message) => leftAt(message) <= at.getTime())
      .reduce<Sent | undefined>(
        (last, candidate) => (last && leftAt(last) >= leftAt(candidate) ? last : candidate),
        undefined,
      )
    const message = quoted ?? latest
    if (!message || at.getTime() - leftAt(message) > (quoted ? quotedForMs : followsForMs)) return []
    return [{ messageId, message, replied: !isStop, clicked: isPress && quoted !== undefined }]
  })
}

export type NoteAnswers = ReturnType<typeof createRecordReplies>

/**
 * Rows of campaigns say who has answered, written in the transaction that stores the answers.
 * @returns message → the campaign that it answers.
 */
export const createRecordReplies =
  ({
    messageRecords,
    recipients,
    recount,
  }: {
    messageRecords: Pick<MessagesRepository, 'ofCampaigns'>
    recipients: Pick<RecipientsRepository, 'setAnswered'>
    recount: Pick<Recount, 'hint'>
  }) =>
  async (scope: WorkspaceScope, written: readonly Written[], tx: Tx): Promise<ReadonlyMap<string, string>> => {
    if (written.length === 0) return new Map()
    const since = new Date(Math.min(...written.map(({ at }) => at.getTime())) - quotedForMs - waitedMs)
    const conversationIds = [...new Set(written.map(({ conversationId }) => conversationId))]
    const answers = answersOf(written, await messageRecords.ofCampaigns(scope, conversationIds, since, tx))
    for (const did of ['replied', 'clicked'] as const) {
      const ids = answers.flatMap((answer) => (answer[did] ? answer.message.id : []))
      if (ids.length > 0) await recipients.setAnswered(scope, ids, did, tx)
    }
    for (const { message } of answers)
      if (message.cause.block !== undefined) recount.hint(scope, message.cause.id, message.cause.block)
    return new Map(answers.map(({ messageId, message }) => [messageId, message.cause.id]))
  }
