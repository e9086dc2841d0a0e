import { useEffect, useState } from 'react'
import { everything, nothing, type Picked, toggle, togglePage } from './selection.ts'

/** The selection of one filter: another filter begins without one. It spans pages, and Escape clears it. */
export function useSelection(page: readonly string[], filterKey: string) {
  const [state, setState] = useState({ filterKey, picked: nothing })
  const picked = state.filterKey === filterKey ? state.picked : nothing
  const set = (next: Picked) => setState({ filterKey, picked: next })
  const isEmpty = picked.kind === 'ids' && picked.ids.size === 0
  useEffect(() => {
    if (isEmpty) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[aria-modal="true"], .ant-dropdown:not(.ant-dropdown-hidden)')) return
      setState((before) => ({ ...before, picked: nothing }))
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isEmpty])
  return {
    picked,
    isEmpty,
    toggle: (id: string, range = false) => set(toggle(picked, page, id, range)),
    togglePage: () => set(togglePage(picked, page)),
    pickEverything: () => set(everything),
    /** The contact is gone. */
    forget: (id: string) => {
      if (picked.kind === 'ids' && picked.ids.has(id)) set(toggle(picked, page, id))
    },
    clear: () => set(nothing),
  }
}
export type ContactSelection = ReturnType<typeof useSelection>
