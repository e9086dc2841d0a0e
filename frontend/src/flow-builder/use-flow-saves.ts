import type { DraftFlow } from '@parley/contracts/automation/flow'
import { hashKey } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../lib/explain.ts'
import { toast } from '../ui/toast.ts'

interface Flow {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly draft: DraftFlow
}

export const isSameFlow = (left: DraftFlow, right: DraftFlow) => hashKey([left]) === hashKey([right])

/**
 * Saves from the version that the builder has open. Another member's changes beside the flow are kept; where both changed the
 * flow, nothing is saved until the person has chosen.
 */
export function useFlowSaves<R extends Flow>({
  data,
  onSave,
  staleRecord,
}: {
  data: R | undefined
  onSave: (change: { id: string; version: number; draft?: DraftFlow; name?: string }) => Promise<R>
  staleRecord: (error: unknown) => R | undefined
}) {
  const [open, setOpen] = useState<R>()
  const [conflict, setConflict] = useState<R>()
  const [saving, setSaving] = useState(false)
  if (data && !open) setOpen(data)

  async function save(change: { draft: DraftFlow } | { name: string }, from: R | undefined): Promise<R> {
    if (!from) throw new Error('Nothing is open in the builder.')
    try {
      const saved = await onSave({ id: from.id, version: from.version, ...change })
      setOpen(saved)
      setConflict(undefined)
      return saved
    } catch (error) {
      const current = staleRecord(error)
      if (!current) {
        toast.error(explain(error, `${from.name} could not be saved.`))
        throw error
      }
      // A name is a few words: the one that was typed last stands.
      if ('name' in change || isSameFlow(current.draft, from.draft)) return save(change, current)
      setConflict(current)
      throw error
    }
  }

  async function saveFlow(draft: DraftFlow): Promise<R> {
    setSaving(true)
    try {
      // While the question is open, saving again means that the other version is replaced.
      return await save({ draft }, conflict ?? open)
    } finally {
      setSaving(false)
    }
  }

  return {
    /** Set while the flow is saved: it can be saved while a name is being saved. */
    saving,
    onSave: saveFlow,
    onRename: async (name: string) => {
      const renamed = await save({ name }, open)
      // A flow saved by another member meanwhile must still be asked about.
      if (open && !isSameFlow(renamed.draft, open.draft)) setOpen(open)
    },
    /** Flow that another member has saved since; for a canvas on which nothing is being edited. */
    newer: data && open && !saving && !conflict && data.version > open.version ? data.draft : undefined,
    onShown: () => setOpen(data),
    theirs: conflict?.draft,
    onTaken: () => {
      setOpen(conflict)
      setConflict(undefined)
    },
    onLater: () => setConflict(undefined),
  }
}
