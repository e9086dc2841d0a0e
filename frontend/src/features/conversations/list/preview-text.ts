import type { MessageContent } from '@parley/contracts/inbox/messages'

/** Returns the quote of an answered message, in one line. */
export function quotedText(content: MessageContent): string {
  if (content.type === 'order') return content.text || 'Order'
  if ('text' in content) return content.text.replaceAll(/\s+/g, ' ')
  if ('caption' in content && content.caption) return content.caption
  if (content.type === 'document') return content.fileName
  if (content.type === 'location') return content.name ?? 'Location'
  return content.type === 'audio'
    ? 'Voice message'
    : `${content.type.slice(0, 1).toUpperCase()}${content.type.slice(1)}`
}
