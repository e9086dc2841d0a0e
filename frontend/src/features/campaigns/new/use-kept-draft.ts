import { useCallback, useState } from 'react'
import { keep, readKept } from '../../../lib/kept.ts'
import { type Draft, draftFields } from './draft.ts'

const name = 'broadcast'

/**
 * The draft outlives a reload of the page, until it is sent or left.
 * @param earlierId the campaign that it follows: a draft that follows another one, or none, is not taken for it.
 */
export function useKeptDraft(earlierId: string | undefined) {
  const [begun, setBegun] = useState(() => {
    const draft = readKept(name, draftFields)
    return earlierId === undefined || draft?.earlierId === earlierId ? draft : undefined
  })
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
