import { z } from 'zod'
import { onSessionEnd } from '../../../lib/auth/session-end.ts'
import { readSessionValue, storageOwner, writeSessionValue } from '../../../lib/session-storage.ts'

const name = 'messages'
const maxKept = 200
const textSchema = z.string().max(100_000)
const keptSchema = z.array(z.tuple([z.string(), textSchema])).max(maxKept)

/** Text by conversation, the latest last; read once from what the tab had kept before a reload. */
let drafts: Map<string, string> | undefined
const all = () => {
  drafts ??= new Map(readSessionValue(name, keptSchema))
  return drafts
}

/** Returns the unsent text of a conversation, kept until the tab is closed or the session ends. */
export const draftOf = (conversationId: string): string => all().get(conversationId) ?? ''

/** @param shared whether the person's other tabs show it too. */
export function storeCampaignDraft(conversationId: string, text: string, { shared }: { shared: boolean }): void {
  if (store(conversationId, text) && shared) postToTabs({ type: 'draft', conversationId, text })
}

/** @returns whether it is news. */
function store(conversationId: string, text: string): boolean {
  const known = all()
  const written = text.trim() === '' ? '' : text
  if (written === (known.get(conversationId) ?? '')) return false
  known.delete(conversationId)
  if (written !== '') known.set(conversationId, written)
  const [oldest] = known.keys()
  if (known.size > maxKept && oldest !== undefined) known.delete(oldest)
  writeSessionValue(name, known.size === 0 ? undefined : [...known])
  return true
}

const forPerson = { uid: z.string(), conversationId: z.string() }
const tabMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('draft'), ...forPerson, text: textSchema }),
  /** A tab that has just opened the conversation asks for what is being written in it. */
  z.object({ type: z.literal('asked'), ...forPerson }),
])
type TabMessage = z.infer<typeof tabMessageSchema>
type Said<M> = M extends TabMessage ? Omit<M, 'uid'> : never

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('parley-drafts')

function postToTabs(message: Said<TabMessage>): void {
  const uid = storageOwner()
  if (uid !== undefined) channel?.postMessage({ ...message, uid })
}

/** Hears what the person's other tabs write in a conversation, from what they have there already on. @returns the end of it. */
export function followDraft(conversationId: string, onDraft: (text: string) => void): () => void {
  const receive = ({ data }: MessageEvent) => {
    const message = tabMessageSchema.safeParse(data).data
    if (message?.conversationId !== conversationId || message.uid !== storageOwner()) return
    if (message.type === 'draft') {
      if (store(conversationId, message.text)) onDraft(message.text)
    } else if (draftOf(conversationId) !== '')
      postToTabs({ type: 'draft', conversationId, text: draftOf(conversationId) })
  }
  channel?.addEventListener('message', receive)
  if (draftOf(conversationId) === '') postToTabs({ type: 'asked', conversationId })
  return () => channel?.removeEventListener('message', receive)
}

onSessionEnd(() => {
  drafts = undefined
})
