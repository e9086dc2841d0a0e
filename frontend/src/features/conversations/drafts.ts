import { z } from 'zod'
import { onSessionEnd } from '../../lib/auth/session-end.ts'
import { keep, readKept } from '../../lib/kept.ts'

const name = 'messages'
const mostKept = 200
const keptSchema = z.array(z.tuple([z.string(), z.string()])).max(mostKept)

/** Text by conversation, the latest last; read once from what the tab had kept before a reload. */
let drafts: Map<string, string> | undefined
const all = () => {
  drafts ??= new Map(readKept(name, keptSchema))
  return drafts
}

/** What was typed in a conversation and not sent, until the tab is closed or the session ends. */
export const draftOf = (conversationId: string): string => all().get(conversationId) ?? ''

export function keepDraft(conversationId: string, text: string): void {
  const known = all()
  if (text === (known.get(conversationId) ?? '')) return
  known.delete(conversationId)
  if (text.trim() !== '') known.set(conversationId, text)
  const [oldest] = known.keys()
  if (known.size > mostKept && oldest !== undefined) known.delete(oldest)
  keep(name, known.size === 0 ? undefined : [...known])
}

onSessionEnd(() => {
  drafts = undefined
})
