import { onSessionEnd } from '../../lib/auth/session.ts'

const drafts = new Map<string, string>()
const mostKept = 200

/** What was typed in a conversation and not sent, until the page is left or the session ends. */
export const draftOf = (conversationId: string): string => drafts.get(conversationId) ?? ''

export function keepDraft(conversationId: string, text: string): void {
  drafts.delete(conversationId)
  if (text.trim() === '') return
  drafts.set(conversationId, text)
  const [oldest] = drafts.keys()
  if (drafts.size > mostKept && oldest !== undefined) drafts.delete(oldest)
}

onSessionEnd(() => drafts.clear())
