import { offerApproval } from '../../lib/approvals.ts'
import { explain } from '../../lib/explain.ts'
import { counted } from '../../lib/format.ts'
import { offerUndo } from '../../lib/undo.ts'
import { toast } from '../../ui/toast.ts'
import { type Selection, useChangeMany } from './api.ts'
import { useChangeAll } from './jobs/use-change-all.ts'

/** Deletes and tags, each with Undo; everything that a filter matches in the background. A failed change is taken back on screen and said. */
export function useBulk() {
  const { mutateAsync, isPending } = useChangeMany()
  const changeAll = useChangeAll()

  async function remove(selection: Selection, name?: string): Promise<void> {
    if ('filter' in selection) return changeAll(selection, { kind: 'delete' })
    try {
      const ids = await mutateAsync({ ids: selection.ids, action: { kind: 'delete' } })
      offerUndo(`${name ?? counted(ids.length, 'contact')} deleted.`, async () => {
        await mutateAsync({ ids, action: { kind: 'restore' } })
      })
    } catch (error) {
      if (offerApproval(error, { kind: 'contact_deletion', selection })) return
      toast.error(explain(error, 'The contacts could not be deleted. Nothing has been changed. Try again.'))
    }
  }

  /** @param how.startWorkflows tells whether workflows start where a filter selects the contacts; they do for contacts that are named. */
  async function addTags(
    selection: Selection,
    tags: readonly string[],
    { name, startWorkflows = false }: { name?: string; startWorkflows?: boolean } = {},
  ): Promise<void> {
    if ('filter' in selection) return changeAll(selection, { kind: 'add_tags', tags: [...tags] }, startWorkflows)
    const done: { tag: string; ids: string[] }[] = []
    try {
      for (const tag of tags)
        done.push({ tag, ids: await mutateAsync({ ids: selection.ids, action: { kind: 'add_tag', tag } }) })
    } catch {
      toast.error('The tags could not be added to every contact. Try again.')
    }
    const touched = new Set(done.flatMap(({ ids }) => ids))
    if (touched.size === 0) {
      if (done.length > 0)
        toast.note(`${name ?? 'Every selected contact'} has ${done.length > 1 ? 'these tags' : 'this tag'} already.`)
      return
    }
    offerUndo(`Tagged ${name ?? counted(touched.size, 'contact')}: ${tags.join(', ')}.`, async () => {
      for (const { tag, ids } of done)
        if (ids.length > 0) await mutateAsync({ ids, action: { kind: 'remove_tag', tag } })
    })
  }

  return { remove, addTags, isPending }
}
