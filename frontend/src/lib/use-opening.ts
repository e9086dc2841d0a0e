import { useState } from 'react'

/** Counts how often a dialog has been opened: as its key, the count begins a new form each time and keeps it while closing. */
export function useOpening(open: boolean): number {
  const [state, setState] = useState({ open, count: 0 })
  if (state.open !== open) setState({ open, count: state.count + (open ? 1 : 0) })
  return state.count
}
