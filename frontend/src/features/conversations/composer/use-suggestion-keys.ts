import { type KeyboardEvent, useId, useState } from 'react'

/**
 * Keys of a list of suggestions over a text field: the arrows move, Enter and Tab choose, Escape closes it.
 * @returns also what the field says of the list to assistive technology.
 */
export function useSuggestionKeys<T>({
  open,
  items,
  choose,
  dismiss,
}: {
  open: boolean
  items: readonly T[]
  choose: (item: T) => void
  dismiss: () => void
}) {
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const active = Math.min(selected, items.length - 1)
  const idOf = (index: number) => `${listId}-${index}`
  const take = (item: T) => {
    setSelected(0)
    choose(item)
  }

  /** @returns whether the key was for the suggestions. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!open) return false
    const chosen = items[active]
    const act: Record<string, (() => void) | undefined> = {
      ArrowDown: () => setSelected((active + 1) % Math.max(1, items.length)),
      ArrowUp: () => setSelected((active - 1 + items.length) % Math.max(1, items.length)),
      Escape: dismiss,
      Enter: chosen && !event.shiftKey ? () => take(chosen) : undefined,
      Tab: chosen && !event.shiftKey ? () => take(chosen) : undefined,
    }
    const run = act[event.key]
    if (!run) return false
    event.preventDefault()
    run()
    return true
  }

  return {
    active,
    listId,
    idOf,
    choose: take,
    onKeyDown,
    field:
      items.length > 0
        ? { 'aria-controls': listId, 'aria-activedescendant': idOf(active), 'aria-autocomplete': 'list' as const }
        : {},
  }
}
