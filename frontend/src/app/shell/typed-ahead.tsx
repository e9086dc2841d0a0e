import { type RefObject, useEffect } from 'react'
import { enter, maxSearch } from './keys.ts'

/** Stands in while the command menu is loaded: keeps what is typed for the menu's field. Escape gives up. */
export function TypedAhead({ typed, onClose }: { typed: RefObject<string>; onClose: () => void }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key } = event
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (key === 'Escape') onClose()
      else if (key.length === 1 || key === 'Backspace' || key === 'Enter') typed.current = after(typed.current, key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [typed, onClose])
  return null
}

/** Returns the text kept after a key press. Enter ends it; before any text was typed, Enter means nothing. */
function after(text: string, key: string): string {
  if (text.endsWith(enter)) return text
  if (key === 'Enter') return text.trim() === '' ? text : text + enter
  if (key === 'Backspace') return text.slice(0, -1)
  return (text + key).slice(0, maxSearch)
}
