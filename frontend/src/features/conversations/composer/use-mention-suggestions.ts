import type { Conversation } from '@parley/contracts/inbox/conversations'
import { maxCaptionLength } from '@parley/contracts/inbox/messages'
import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, type KeyboardEvent, type SyntheticEvent, useState } from 'react'
import { memberChoices } from '../../../lib/choices/members.ts'
import { visibilityOptions } from '../../../lib/choices/visibility.ts'
import { useOwnId } from '../../../lib/user.ts'
import { type Colleague, mentionable, mentionedIn, namedLike, typedName } from './mentioned.ts'
import type { useAttachments } from './use-attachments.ts'
import type { useComposerText } from './use-composer-text.ts'
import { useSuggestionKeys } from './use-suggestion-keys.ts'

const maxShown = 8

interface Written {
  isNote: boolean
  /** The text that is being written. */
  words: Pick<ReturnType<typeof useComposerText>, 'text' | 'caretAt' | 'replace'>
  /** Files that go along, with the words under each. */
  files: Pick<ReturnType<typeof useAttachments>, 'attachments' | 'caption'>
}

/** Completes the names of colleagues after an `@` in a note, be it in its text or in the caption of a file. */
export function useMentionSuggestions({ isNote, words, files }: Written, conversation: Conversation) {
  const ownId = useOwnId()
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [dismissed, setDismissed] = useState<string>()
  const [place, setPlace] = useState<{ id: string; caret: number; input: HTMLInputElement }>()
  const captioned = files.attachments.find(({ id }) => id === place?.id)
  const { text, caret } =
    captioned && place ? { text: captioned.caption, caret: place.caret } : { text: words.text, caret: words.caretAt }
  function replace(from: number, name: string): void {
    if (!captioned || !place) {
      words.replace(from, caret, name)
      return
    }
    const { id, input } = place
    const end = from + name.length
    files.caption(id, text.slice(0, from) + name + text.slice(caret))
    setPlace({ id, input, caret: end })
    // A field whose value is set by the page has its caret at the end.
    requestAnimationFrame(() => input.setSelectionRange(end, end))
  }
  const enabled =
    isNote && [words.text, ...files.attachments.map(({ caption }) => caption)].some((one) => one.includes('@'))
  const members = useQuery({ ...memberChoices(), enabled })
  const visibility = useQuery({ ...visibilityOptions(), enabled })
  const colleagues =
    members.data && visibility.data && ownId !== undefined
      ? mentionable(members.data, conversation, { agentSees: visibility.data.agentSees, ownId })
      : []
  const typed = enabled ? typedName(text.slice(0, caret)) : undefined
  // WhatsApp takes no longer caption: a name that goes past it is not completed.
  const fits = ({ name }: Colleague): boolean =>
    !captioned || text.length - (typed?.length ?? 0) + name.length + 1 <= maxCaptionLength
  const found = typed === undefined ? [] : namedLike(colleagues, typed).filter(fits).slice(0, maxShown)
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
  const onCaret = (id: string, input: HTMLInputElement) =>
    setPlace({ id, input, caret: input.selectionEnd ?? input.value.length })
  return {
    ...keys,
    open,
    colleagues: found,
    /** Properties of the field of the text. */
    field: { ...(captioned ? {} : keys.field), onFocus: () => setPlace(undefined) },
    /** Properties of the field of a file's caption. */
    captionField: (id: string) => ({
      ...(captioned?.id === id ? keys.field : {}),
      onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => onCaret(id, currentTarget),
      onSelect: ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => onCaret(id, currentTarget),
      onKeyDown: (event: KeyboardEvent) => {
        if (!event.nativeEvent.isComposing) keys.onKeyDown(event)
      },
    }),
    /** Returns the user ids of those whom a text of the note mentions. */
    mentioned: (of: string) => mentionedIn(of, colleagues, chosen),
  }
}
