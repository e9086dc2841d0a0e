import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import type { MergePairs } from '@parley/contracts/contacts/contact-merge'
import { useQueryClient } from '@tanstack/react-query'
import { whenEnded } from '../../../lib/contact-jobs.ts'
import { counted } from '../../../lib/format.ts'
import { contactKeys } from '../../../lib/query-keys.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { toast } from '../../../ui/toast.ts'
import { useContactsRead } from '../api.ts'
import { useUndoJob } from '../jobs/api.ts'
import { useMergeMany } from './api.ts'

/** Merges pairs, follows the work to its end wherever the person goes, and offers to undo it then. */
export function useMergePairs() {
  const client = useQueryClient()
  const { mutateAsync: start, isPending } = useMergeMany()
  const { mutateAsync: undo, isPending: isUndoing } = useUndoJob()
  const readAgain = useContactsRead()

  async function end(job: ContactJob): Promise<ContactJob | undefined> {
    const ended = await whenEnded(client, job)
    await readAgain()
    await client.invalidateQueries({ queryKey: contactKeys.suggestedMerges })
    if (ended?.kept) toast.note(`${counted(ended.kept, 'pair')} had changed and stayed as they were.`)
    return ended
  }
  const undoJob = async (id: string): Promise<void> => {
    await end(await undo(id))
  }

  /** @throws what refuses the start. */
  async function merge(pairs: MergePairs): Promise<() => Promise<void>> {
    const started = await start(pairs)
    return async () => {
      const job = await end(started)
      if (job?.state === 'failed') toast.error('The merges did not finish. Try again.')
      else if (job?.canUndo) offerUndo(`${counted(job.changed, 'pair')} merged.`, () => undoJob(job.id))
    }
  }
  return { merge, isPending, undoJob, isUndoing }
}
