import { useEffect, useRef } from 'react'
import type { Shortcut } from '../lib/screen-commands.ts'

/** Actions of the keys; an absent one does nothing. */
interface Keys {
  readonly save: () => void
  readonly undo?: () => void
  readonly redo?: () => void
  readonly copy?: () => void
  readonly paste?: () => void
  readonly duplicate?: () => void
  readonly selectAll?: () => void
}

/** The builder's keys as a list shows them. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl', 'S'], what: 'Save Changes' },
  { keys: ['Ctrl', 'Z'], what: 'Undo in the builder' },
  { keys: ['Ctrl', 'Shift', 'Z'], what: 'Redo in the builder' },
  { keys: ['Ctrl', 'C'], what: 'Copy the selected nodes' },
  { keys: ['Ctrl', 'V'], what: 'Paste nodes' },
  { keys: ['Ctrl', 'D'], what: 'Duplicate the selected nodes' },
  { keys: ['Delete'], what: 'Remove what is selected' },
]

/** The builder's keys; those of single nodes (arrows, Enter, Delete) are the canvas's own. Only Ctrl+S works while a text is written. */
export function useEditorKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return
      const action = actionOf(event)
      if (!action || (action !== 'save' && (isWriting(event) || isDialogOpen()))) return
      // The browser copies what is marked as text.
      if (action === 'copy' && window.getSelection()?.isCollapsed === false) return
      event.preventDefault()
      latest.current[action]?.()
    }
    // Before the frame's own keys, which listen on the window and leave alone what is taken.
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf({ key, shiftKey }: KeyboardEvent): keyof Keys | undefined {
  const letter = key.toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  if (shiftKey) return undefined
  const plain: Record<string, keyof Keys> = {
    s: 'save',
    y: 'redo',
    c: 'copy',
    v: 'paste',
    d: 'duplicate',
    a: 'selectAll',
  }
  return plain[letter]
}

const isWriting = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
