import { type RefObject, useEffect, useRef, useState } from 'react'
import { areCharacterKeysOn } from '../../../lib/character-keys.ts'

type OnRow = (index: number, range: boolean) => void

interface Commands {
  readonly open: OnRow
  readonly edit: OnRow
  readonly toggle: OnRow
}

/** Elements in a row that handle a click themselves. */
const controls = 'a, button, label, input'

const popups = '[aria-modal="true"], [role="menu"], [role="listbox"], dialog[open]'

/**
 * J and K or the arrows go from row to row, X selects (with Shift a range), Enter or a click opens, E edits. Rows of the
 * list carry `data-row`; one of them is in the order of Tab.
 * @returns the place of that row.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, count: number, commands: Commands): number {
  const [active, setActive] = useState(0)
  const latest = useRef(commands)
  latest.current = commands
  const tabStop = Math.min(active, Math.max(0, count - 1))

  useEffect(() => {
    const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !target) return
      const inList = list.current?.contains(target) ?? false
      if (
        (target !== document.body && !inList) ||
        target.closest(popups) ||
        document.querySelector('[aria-modal="true"]')
      )
        return
      const index = rows().findIndex((row) => row.contains(target))
      const isCharacter = event.key.length === 1
      if (isCharacter && !areCharacterKeysOn()) return
      const key = isCharacter ? event.key.toLowerCase() : event.key
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
      // The page itself scrolls with the arrows until a row has the focus.
      if (step && (index !== -1 || key === 'j' || key === 'k')) {
        const next = index === -1 ? tabStop : Math.min(count - 1, Math.max(0, index + step))
        rows()[next]?.focus()
      } else if (key === 'x' && index !== -1) latest.current.toggle(index, event.shiftKey)
      else if (key === 'e' && index !== -1) latest.current.edit(index, false)
      else if (key === 'Enter' && index !== -1 && target === rows()[index]) latest.current.open(index, false)
      else return
      event.preventDefault()
    }
    const onFocus = (event: FocusEvent) => {
      const index = rows().findIndex((row) => event.target instanceof Node && row.contains(event.target))
      if (index !== -1) setActive(index)
    }
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest(controls)) return
      // Selecting text in a row to copy it does not open the row.
      if (window.getSelection()?.type === 'Range') return
      const index = rows().findIndex((row) => row.contains(target))
      if (index !== -1) latest.current.open(index, false)
    }
    const listed = list.current
    listed?.addEventListener('click', onClick)
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('focusin', onFocus)
    return () => {
      listed?.removeEventListener('click', onClick)
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('focusin', onFocus)
    }
  }, [list, count, tabStop])
  return tabStop
}
