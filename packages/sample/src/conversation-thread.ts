import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Message, MessageContent } from '@parley/contracts/inbox/messages'
import type { Line } from './conversation-line.ts'
import { orderNumberOf, type Plan, placeOf } from './conversation-plan.ts'
import { minuteMs, team } from './facts.ts'

/** Returns the inbox preview of a message in one line. */
export function previewOf(content: MessageContent): string {
  switch (content.type) {
    case 'text':
    case 'template':
    case 'system':
    case 'interactive':
      return content.text.replaceAll(/\s+/g, ' ').slice(0, 300)
    case 'image':
    case 'video':
      return content.caption?.slice(0, 300) ?? (content.type === 'image' ? 'Photo' : 'Video')
    case 'audio':
      return content.voice ? 'Voice message' : 'Audio'
    case 'document':
      return content.fileName
    case 'sticker':
      return 'Sticker'
    case 'location':
      return content.name ? `Location: ${content.name}` : 'Location'
    case 'contacts':
      return `Contact: ${content.contacts.map(({ name }) => name).join(', ')}`
    case 'order':
      return 'Order'
    case 'reaction':
      return `Reacted ${content.emoji}`
    case 'unsupported':
      return 'Message that cannot be shown here'
  }
}

export const directionOf = ({ from }: Line): Message['direction'] =>
  from === 'customer' ? 'inbound' : from === 'note' || from === 'system' ? 'note' : 'outbound'

/** The words of a script with the customer's own name and order number. */
export function filledContent(content: MessageContent, contact: Contact): MessageContent {
  const fill = (text: string) =>
    text.includes('{')
      ? text
          .replaceAll('{first}', contact.name.trim().split(/\s+/)[0] ?? '')
          .replaceAll('{order}', orderNumberOf(placeOf(contact.id) ?? 0))
      : text
  if (content.type === 'document') return { ...content, fileName: fill(content.fileName) }
  return 'text' in content ? { ...content, text: fill(content.text) } : content
}

/** Every message of a conversation, oldest first; the last one at the contact's latest contact. */
export function createThread(conversationId: string, contact: Contact, plan: Plan): Message[] {
  const messages: Message[] = []
  const idOf = (number: number) => `${conversationId}-${number}`
  const lastCustomer = plan.episodes.flat().findLastIndex(({ from }) => from === 'customer')
  const starts = plan.starts()
  plan.episodes.forEach((episode, part) => {
    let at = starts[part] ?? 0
    for (const line of episode) {
      at += line.after * minuteMs
      const index = messages.length
      const direction = directionOf(line)
      const content = filledContent(line.content, contact)
      messages.push({
        id: idOf(index + 1),
        conversationId,
        direction,
        content: content.type === 'reaction' ? { ...content, to: idOf(index + 1 - (line.reactsTo ?? 1)) } : content,
        ...(direction === 'outbound' && {
          status: line.status ?? (index < lastCustomer ? 'read' : plan.trailingStatus),
        }),
        ...(line.error && { error: line.error }),
        ...(line.answers && { replyTo: idOf(index + 1 - line.answers) }),
        cause: causeOf(line, contact),
        sentAt: new Date(at).toISOString(),
      })
    }
  })
  return messages
}

function causeOf({ from }: Line, contact: Contact): Message['cause'] {
  if (from === 'customer') return { kind: 'customer', id: contact.id }
  if (from === 'bot') return { kind: 'bot', id: 'bot-1' }
  if (from === 'campaign') return { kind: 'campaign', id: 'campaign-1' }
  return { kind: 'member', id: team[0].id }
}
