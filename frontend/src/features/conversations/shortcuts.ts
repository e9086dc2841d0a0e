import { type Shortcut, useScreenCommands } from '../../lib/screen-commands.ts'

const commands: readonly never[] = []
const shortcuts: readonly Shortcut[] = [
  { keys: ['↑'], what: 'Previous conversation' },
  { keys: ['↓'], what: 'Next conversation' },
  { keys: ['Enter'], what: 'Open the conversation, or send the message' },
  { keys: ['Shift', 'Enter'], what: 'New line in the message' },
  { keys: ['Esc'], what: 'Back to the list' },
]

/** The keys of the inbox, for the list of shortcuts. */
export const useInboxShortcuts = (): void => useScreenCommands(commands, shortcuts)
