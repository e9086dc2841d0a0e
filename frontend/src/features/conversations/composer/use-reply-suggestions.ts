import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { SavedReply } from '@parley/contracts/inbox/replies'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { repliesOptions } from './replies-api.ts'

const maxShown = 8
const slash = /^\/([^\s]*)$/

/** Finds saved replies while the text is a slash and the beginning of a shortcut. */
export function useReplySuggestions(text: string, { contact }: Conversation, onChoose: (text: string) => void) {
  const typed = slash.exec(text)?.[1]
  const [dismissed, setDismissed] = useState<string>()
  const open = typed !== undefined && dismissed !== text
  const { data, isLoadingError } = useQuery({ ...repliesOptions(typed ?? ''), enabled: open })
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const replies = open ? (data ?? []).slice(0, maxShown) : []
  const active = Math.min(selected, replies.length - 1)
  const choose = ({ text: reply }: SavedReply) => {
    setSelected(0)
    onChoose(fillPlaceholders(reply, { name: contact.name, ...(contact.phone && { phone: contact.phone }) }))
  }
  const idOf = (index: number) => `${listId}-${index}`

  /** @returns whether the key was for the suggestions. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!open) return false
    const chosen = replies[active]
    const act: Record<string, (() => void) | undefined> = {
      ArrowDown: () => setSelected((active + 1) % Math.max(1, replies.length)),
      ArrowUp: () => setSelected((active - 1 + replies.length) % Math.max(1, replies.length)),
      Escape: () => setDismissed(text),
      Enter: chosen && !event.shiftKey ? () => choose(chosen) : undefined,
      Tab: chosen && !event.shiftKey ? () => choose(chosen) : undefined,
    }
    const run = act[event.key]
    if (!run) return false
    event.preventDefault()
    run()
    return true
  }

  return {
    open,
    replies,
    active,
    failed: isLoadingError,
    loading: open && !data && !isLoadingError,
    listId,
    idOf,
    choose,
    onKeyDown,
    field:
      replies.length > 0
        ? { 'aria-controls': listId, 'aria-activedescendant': idOf(active), 'aria-autocomplete': 'list' as const }
        : {},
  }
}
