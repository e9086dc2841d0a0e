/** True where a key press is meant for a text that is being written. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : undefined
  if (!target) return false
  const isText = target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return isText || target instanceof HTMLTextAreaElement || target.isContentEditable
}

/** True while a dialog asks for something: the keys are its own then. */
export const isDialogOpen = (): boolean =>
  document.querySelector('dialog[open], [role="dialog"][aria-modal="true"]') !== null

/** `⌘` on Apple's machines, else `Ctrl`. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Characters that the command menu's field takes. */
export const maxSearch = 80

/** Ends what was typed before the command menu was there: its first result is wanted. */
export const enter = '\n'
