import { expect, type Walk } from './walk.ts'

const states: readonly { name: string; query: string; shows: RegExp | string }[] = [
  { name: 'conversations', query: '', shows: 'Priya Sharma' },
  { name: 'conversations, thread', query: '?id=conversation-1', shows: 'Yes! Is it in stock?' },
  { name: 'conversations, undelivered', query: '?id=conversation-2', shows: 'Message undeliverable.' },
  { name: 'conversations, right to left', query: '?id=conversation-6', shows: 'هذه هي! شكراً جزيلاً' },
  { name: 'conversations, details', query: '?id=conversation-1&panel=details', shows: 'Total messages' },
  { name: 'conversations, rename', query: '?id=conversation-1&dialog=rename', shows: 'Edit Contact Name' },
  { name: 'conversations, add tag', query: '?id=conversation-1&dialog=tag', shows: 'Choose a tag or write a new one.' },
  { name: 'conversations, template', query: '?id=conversation-9&dialog=template', shows: 'A template may be sent' },
  { name: 'conversations, window closed', query: '?id=conversation-9', shows: 'The 24-hour window is closed.' },
  { name: 'conversations, not found', query: '?id=nobody', shows: 'This conversation could not be found' },
  { name: 'conversations, no match', query: '?q=zzzz', shows: 'Nothing matches' },
  { name: 'conversations, empty', query: '?state=empty', shows: 'No conversations yet' },
  { name: 'conversations, loading', query: '?state=loading', shows: 'Conversations' },
  { name: 'conversations, error', query: '?state=error', shows: 'could not be loaded' },
]

/** The inbox and its states. */
export async function walkThroughConversations({ page, take }: Walk): Promise<void> {
  for (const { name, query, shows } of states) {
    await page.goto(`/conversations${query}`)
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
    await take(name)
  }
}
