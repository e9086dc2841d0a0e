import { chatLimits } from '@parley/contracts/contacts/contact-jobs'
import type { Message } from '@parley/contracts/inbox/messages'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MemberNames } from '../../../platform/member-names.ts'
import type { ChatMessages } from '../../inbox/messages/chat-messages.ts'
import { summaryLine } from '../../inbox/messages/summary-line.ts'
import { toMessage } from '../../inbox/messages/to-message.ts'
import { authorOf, type Chat, type ChatEntry } from './chat.ts'

/**
 * Yields the messages of a conversation, oldest first, with what they answer: page by page, so that memory does not grow with
 * them.
 * @param onRead called with each message before it is yielded.
 */
export async function* readChat(
  scope: WorkspaceScope,
  {
    messages,
    conversationId,
    chat,
    learnNames,
  }: { messages: ChatMessages; conversationId: string; chat: Chat; learnNames: MemberNames['learn'] },
  onRead: (record: Awaited<ReturnType<ChatMessages['readMany']>>[number]) => Promise<void>,
): AsyncGenerator<ChatEntry> {
  let first: Date | undefined
  for await (const records of messages.pages(scope, conversationId, chatLimits.messages)) {
    first ??= records[0]?.sentAt
    const wanted = new Set(records.flatMap(({ replyTo }) => replyTo ?? []))
    const found = wanted.size > 0 ? await messages.readMany(scope, [...wanted]) : []
    await learnNames([...records, ...found].map(toMessage).flatMap(membersIn))
    const answered = new Map(
      found.filter((record) => record.conversationId === conversationId).map((one) => [one.id, one]),
    )
    for (const record of records) {
      await onRead(record)
      const message = toMessage(record)
      yield {
        message,
        ...(message.replyTo !== undefined && { answered: answerTo(answered.get(message.replyTo), first) }),
      }
    }
  }

  function answerTo(
    record: Awaited<ReturnType<ChatMessages['readMany']>>[number] | undefined,
    since: Date | undefined,
  ): NonNullable<ChatEntry['answered']> {
    if (!record) return { who: '', words: 'A message that is not here' }
    const isInFile = since !== undefined && record.sentAt >= since
    const words = summaryLine(record.content, record.deletedAt)
    return { who: authorOf(chat, toMessage(record)), words, ...(isInFile && { id: record.id }) }
  }
}

/** Returns the members that the file names with a message: its author, and who was given a conversation. */
function membersIn({ cause, content }: Message): string[] {
  const assignedMember = content.type === 'system' ? content.activity?.member : undefined
  return [...(cause.kind === 'member' ? [cause.id] : []), ...(assignedMember === undefined ? [] : [assignedMember])]
}
