import type { Page } from '@playwright/test'
import { findConversation } from './find-conversation.ts'
import { expect, type Walk } from './walk.ts'

interface State {
  readonly name: string
  /** Whose conversation is open. */
  readonly of?: string
  readonly query?: string
  readonly shows: string
}

const states: readonly State[] = [
  { name: 'conversations', shows: 'Priya Sharma' },
  { name: 'conversations, thread', of: 'Priya Sharma', shows: 'Yes! Is it in stock?' },
  { name: 'conversations, undelivered', of: 'Rahul Verma', shows: 'Message undeliverable.' },
  { name: 'conversations, right to left', of: 'Omar Khan', shows: 'هذه هي! شكراً جزيلاً' },
  { name: 'conversations, details', of: 'Priya Sharma', query: 'panel=details', shows: 'Total messages' },
  { name: 'conversations, rename', of: 'Priya Sharma', query: 'dialog=rename', shows: 'Edit Contact Name' },
  {
    name: 'conversations, add tag',
    of: 'Priya Sharma',
    query: 'dialog=tag',
    shows: 'Choose a tag or write a new one.',
  },
  { name: 'conversations, saved replies', of: 'Priya Sharma', query: 'dialog=replies', shows: 'Saved replies' },
  { name: 'conversations, template', of: 'Chitra Kumar', query: 'dialog=template', shows: 'A template may be sent' },
  { name: 'conversations, window closed', of: 'Chitra Kumar', shows: 'The 24-hour window is closed.' },
  { name: 'conversations, words in messages', query: 'q=kettle&in=messages', shows: 'Names and numbers' },
  { name: 'conversations, not found', query: 'id=nobody', shows: 'This conversation could not be found' },
  { name: 'conversations, no match', query: 'q=zzzz', shows: 'Nothing matches' },
]

/** The inbox and its states. */
export async function walkThroughConversations({ page, take }: Walk): Promise<void> {
  for (const { name, of, query = '', shows } of states) {
    const open = of ? `id=${await findConversation(page, of)}&` : ''
    await page.goto(`/conversations?${open}${query}`)
    await shown(page, shows)
    await take(name)
  }
  const reads = /\/api\/conversations/
  await page.route(reads, (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/conversations')
  await shown(page, 'could not be loaded')
  await take('conversations, error')
  await page.unroute(reads)
}

const shown = (page: Page, text: string) => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
