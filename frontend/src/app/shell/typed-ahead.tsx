import { type RefObject, useEffect } from 'react'
import { longestSearch } from './keys.ts'

/** Stands in while the command menu is loaded: keeps what is typed for the menu's field. Escape gives up. */
export function TypedAhead({ typed, onClose }: { typed: RefObject<string>; onClose: () => void }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key } = event
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (key === 'Escape') onClose()
      else if (key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (key.length === 1) typed.current = (typed.current + key).slice(0, longestSearch)
      // Enter would press what has the focus behind the menu.
      else if (key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [typed, onClose])
  return null
}
