import { useEffect } from 'react'
import { areCharacterKeysOn } from '../../lib/character-keys.ts'
import { undoChange } from '../../lib/undo.ts'
import { isDialogOpen, isTyping } from './keys.ts'

export type Overlay = 'commands' | 'shortcuts'

/** Handles keys: Ctrl or Cmd with K opens the command menu, `?` the list of shortcuts, Ctrl or Cmd with Z undoes the last change. */
export function useShellKeys(open: (overlay: Overlay) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const command = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      if (command && key === 'k' && !event.shiftKey) {
        event.preventDefault()
        open('commands')
      } else if (isTyping(event) || isDialogOpen()) return
      else if (command && key === 'z' && !event.shiftKey) void undoChange()
      else if (!command && event.key === '?' && areCharacterKeysOn()) {
        event.preventDefault()
        open('shortcuts')
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open])
}
