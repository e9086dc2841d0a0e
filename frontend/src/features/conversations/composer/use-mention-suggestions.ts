import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { memberChoices } from '../../../lib/choices/members.ts'
import { visibilityOptions } from '../../../lib/choices/visibility.ts'
import { useOwnId } from '../../../lib/user.ts'
import { type Colleague, mentionable, mentionedIn, namedLike, typedName } from './mentioned.ts'
import { useSuggestionKeys } from './use-suggestion-keys.ts'

const maxShown = 8

/**
 * Completes the names of colleagues after an `@` in a note.
 * @param caret place in the text. `replace` puts words in the place of those from a place to the caret.
 */
export function useMentionSuggestions(
  { text, isNote, caret }: { text: string; isNote: boolean; caret: number },
  conversation: Conversation,
  replace: (from: number, words: string) => void,
) {
  const ownId = useOwnId()
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [dismissed, setDismissed] = useState<string>()
  const enabled = isNote && text.includes('@')
  const members = useQuery({ ...memberChoices(), enabled })
  const visibility = useQuery({ ...visibilityOptions(), enabled })
  const colleagues =
    members.data && visibility.data && ownId !== undefined
      ? mentionable(members.data, conversation, { agentSees: visibility.data.agentSees, ownId })
      : []
  const typed = enabled ? typedName(text.slice(0, caret)) : undefined
  const found = typed === undefined ? [] : namedLike(colleagues, typed).slice(0, maxShown)
  const open = found.length > 0 && dismissed !== text
  const keys = useSuggestionKeys<Colleague>({
    open,
    items: open ? found : [],
    choose: ({ name, userId }) => {
      setChosen((others) => ({ ...others, [name]: userId }))
      replace(caret - (typed?.length ?? 0), `${name} `)
    },
    dismiss: () => setDismissed(text),
  })
  return { ...keys, open, colleagues: found, mentioned: () => mentionedIn(text, colleagues, chosen) }
}
