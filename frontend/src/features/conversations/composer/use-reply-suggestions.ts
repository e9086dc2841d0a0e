import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { SavedReply } from '@parley/contracts/inbox/replies'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { repliesOptions } from './replies-api.ts'
import { useSuggestionKeys } from './use-suggestion-keys.ts'

const maxShown = 8
const slash = /^\/([^\s]*)$/

/** Finds saved replies while the text is a slash and the beginning of a shortcut. */
export function useReplySuggestions(text: string, { contact }: Conversation, onChoose: (reply: SavedReply) => void) {
  const typed = slash.exec(text)?.[1]
  const [dismissed, setDismissed] = useState<string>()
  const open = typed !== undefined && dismissed !== text
  const { data, isLoadingError } = useQuery({ ...repliesOptions(typed ?? ''), enabled: open })
  const replies = open ? (data ?? []).slice(0, maxShown) : []
  const keys = useSuggestionKeys({
    open,
    items: replies,
    choose: (reply: SavedReply) => {
      const values = { name: contact.name, ...(contact.phone && { phone: contact.phone }) }
      onChoose({ ...reply, text: fillPlaceholders(reply.text, values) })
    },
    dismiss: () => setDismissed(text),
  })
  return { ...keys, open, replies, failed: isLoadingError, loading: open && !data && !isLoadingError }
}
