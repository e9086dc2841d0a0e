import { conversationOf, threadOf } from '@parley/sample/inbox'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { sampleConversationId, sampleIds } from '@parley/service-kit/data/sample-ids'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { SampleConversation } from '../inbox/conversations/sample-conversations.ts'
import type { SampleMessage } from '../inbox/messages/sample-messages.ts'

/** The dataset, and the ids that its records have in a workspace. */
export interface SampleContext {
  readonly scope: WorkspaceScope
  readonly sampleDataset: SampleDataset
  readonly numberIds: ReadonlyMap<string, string>
  readonly contactIds: ReadonlyMap<string, string>
  readonly templateIds: ReadonlyMap<string, string>
  readonly campaignIds: ReadonlyMap<string, string>
  readonly botIds: ReadonlyMap<string, string>
}

export function sampleConversationOf(context: SampleContext, storyId: string) {
  const { scope, sampleDataset, numberIds, contactIds, templateIds, campaignIds, botIds } = context
  const stored = conversationOf(sampleDataset, storyId)
  if (!stored) return undefined
  const id = sampleConversationId(scope, { id: storyId, createdAt: stored.createdAt })
  const contactId = contactIds.get(stored.contact.id) ?? stored.contact.id
  const numberId = numberIds.get(stored.numberId) ?? stored.numberId
  const thread = threadOf(sampleDataset, storyId)
  const messageId = sampleIds(scope, storyId)
  const ids = new Map(thread.map((message, index) => [message.id, messageId(new Date(message.sentAt), index)]))
  const causeIds = new Map([...campaignIds, ...botIds, [stored.contact.id, contactId]])
  const messages = new Map<string, SampleMessage>()
  for (const message of thread) {
    const { content, replyTo, cause } = message
    // A reaction belongs to the message that it is about.
    if (content.type === 'reaction') {
      const about = messages.get(content.to)
      const reaction = { by: 'customer' as const, emoji: content.emoji, at: message.sentAt }
      if (about) messages.set(content.to, { ...about, reactions: [reaction] })
      continue
    }
    messages.set(message.id, {
      ...message,
      content:
        content.type === 'template'
          ? { ...content, templateId: templateIds.get(content.templateId) ?? content.templateId }
          : content,
      id: ids.get(message.id) ?? message.id,
      conversationId: id,
      contactId,
      numberId,
      cause: { kind: cause.kind, id: causeIds.get(cause.id) ?? cause.id },
      ...(replyTo !== undefined && { replyTo: ids.get(replyTo) ?? replyTo }),
    })
  }
  const sample = [...messages.values()]
  const conversation: SampleConversation = {
    ...stored,
    id,
    contact: { ...stored.contact, id: contactId },
    numberId,
    owner: {
      ...stored.owner,
      ...(stored.owner.id !== undefined && { id: botIds.get(stored.owner.id) ?? stored.owner.id }),
    },
    history: { ...stored.history, messages: sample.length },
    lastMessageId: sample.at(-1)?.id ?? '',
    waitingSince: waitingSince(sample),
  }
  return { conversation, messages: sample }
}

/** Returns when the customer wrote the first message that is unanswered. */
function waitingSince(thread: readonly SampleMessage[]): Date | undefined {
  const answered = thread.findLastIndex(({ direction }) => direction === 'outbound')
  const first = thread.slice(answered + 1).find(({ direction }) => direction === 'inbound')
  return first && new Date(first.sentAt)
}
