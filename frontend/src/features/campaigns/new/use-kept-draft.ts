import { useCallback, useState } from 'react'
import { keep, readKept } from '../../../lib/kept.ts'
import { type Draft, draftFields } from './draft.ts'

const name = 'broadcast'

/** The draft outlives a reload of the page, until it is sent or left. */
export function useKeptDraft() {
  const [begun, setBegun] = useState(() => readKept(name, draftFields))
  return {
    /** What a reload interrupted. */
    begun,
    keep: useCallback((draft: Draft) => keep(name, draft), []),
    forget: useCallback(() => {
      setBegun(undefined)
      keep(name, undefined)
    }, []),
  }
}
