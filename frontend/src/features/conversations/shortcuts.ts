import { useEffect, useRef } from 'react'
import { type Shortcut, useScreenCommands } from '../../lib/screen-commands.ts'

/** Actions on the open conversation, each with the letter that calls it together with Alt: they work while one writes, too. */
const letters = {
  finish: 'E',
  snooze: 'S',
  assign: 'A',
  note: 'N',
  unread: 'U',
  next: 'J',
  previous: 'K',
} as const
export type ConversationAction = keyof typeof letters

/** Returns the keys of an action as a tooltip shows them, and as `aria-keyshortcuts` does. */
export const keysOf = (action: ConversationAction): string => `Alt+${letters[action]}`

const alt = (action: ConversationAction, what: string): Shortcut => ({ keys: ['Alt', letters[action]], what })
const commands: readonly never[] = []
const shortcuts: readonly Shortcut[] = [
  { keys: ['↑'], what: 'Previous conversation in the list' },
  { keys: ['↓'], what: 'Next conversation in the list' },
  { keys: ['Space'], what: 'Select the conversation in the list' },
  { keys: ['Enter'], what: 'Open the conversation, or send the message' },
  { keys: ['Shift', 'Enter'], what: 'New line in the message' },
  { keys: ['Esc'], what: 'Back to the list' },
  alt('finish', 'Close the conversation, or reopen it'),
  alt('snooze', 'Snooze the conversation'),
  alt('assign', 'Assign the conversation to yourself'),
  alt('note', 'Write a note'),
  alt('unread', 'Mark as unread'),
  alt('next', 'Open the next conversation'),
  alt('previous', 'Open the previous conversation'),
]

/** The keys of the inbox, for the list of shortcuts. */
export const useInboxShortcuts = (): void => useScreenCommands(commands, shortcuts)

/** Listens for the keys of the open conversation. The letter is that of the key's place, for Alt writes other ones on a Mac. */
export function useConversationKeys(actions: Readonly<Record<ConversationAction, () => void>>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, shiftKey, code, isComposing } = event
      if (!altKey || ctrlKey || metaKey || shiftKey || isComposing) return
      const found = Object.entries(letters).find(([, letter]) => code === `Key${letter}`)
      // A dialog has the keys for itself.
      if (!found || document.querySelector('[role="dialog"][aria-modal="true"]')) return
      event.preventDefault()
      latest.current[found[0] as ConversationAction]()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
