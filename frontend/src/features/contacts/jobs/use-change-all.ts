import type { ContactAction, ContactChange, ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { useQueryClient } from '@tanstack/react-query'
import { offerApproval } from '../../../lib/approvals.ts'
import { whenEnded } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { counted } from '../../../lib/format.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { toast } from '../../../ui/toast.ts'
import { type Selection, useContactsRead } from '../api.ts'
import { useStartChange, useStartRename, useUndoJob } from './api.ts'

/** Follows a change to its end, and offers to take it back then; it continues without this page. */
function useFollow() {
  const client = useQueryClient()
  const { mutateAsync: undo } = useUndoJob()
  const readAgain = useContactsRead()

  async function undoJob(job: ContactJob): Promise<void> {
    const ended = await whenEnded(client, await undo(job.id))
    await readAgain()
    if (ended?.kept) toast.note(`${counted(ended.kept, 'contact')} changed since then stayed as they are.`)
  }

  return async (started: ContactJob, action: ContactChange): Promise<void> => {
    const job = await whenEnded(client, started)
    await readAgain()
    if (job) report(job, action, () => undoJob(job))
  }
}

/** Changes everything that a filter matches. */
export function useChangeAll() {
  const { mutateAsync: start } = useStartChange()
  const follow = useFollow()
  return async (selection: Selection, action: ContactAction, startWorkflows = false): Promise<void> => {
    try {
      await follow(await start({ selection, action, ...(startWorkflows && { startWorkflows }) }), action)
    } catch (error) {
      if (action.kind === 'delete' && offerApproval(error, { kind: 'contact_deletion', selection })) return
      toast.error(explain(error, 'The change could not be started. Try again.'))
    }
  }
}

/** Renames a tag, or merges it into another. `onStarted` once contacts are being changed. @throws what refuses it. */
export function useRenameTag() {
  const { mutateAsync: start, isPending } = useStartRename()
  const follow = useFollow()
  const rename = async (tag: string, to: string, onStarted: () => void): Promise<void> => {
    const started = await start({ tag, to })
    onStarted()
    await follow(started, { kind: 'rename_tag', tag, to })
  }
  return { rename, isPending }
}

function report(
  { changed, canUndo, problem, state }: ContactJob,
  action: ContactChange,
  undo: () => Promise<void>,
): void {
  if (problem !== null || state === 'failed') toast.error(problem ?? 'The change did not finish. Try again.')
  else if (canUndo) offerUndo(announcementOf(action, counted(changed, 'contact')), undo)
  else if (state === 'done' && action.kind === 'add_tags')
    toast.note(`Every selected contact has ${action.tags.length > 1 ? 'these tags' : 'this tag'} already.`)
}

const announcementOf = (action: ContactChange, contacts: string): string => {
  if (action.kind === 'delete') return `${contacts} deleted.`
  if (action.kind === 'rename_tag') return `Renamed ${action.tag} to ${action.to}: ${contacts}.`
  const tags = action.tags.join(', ')
  return action.kind === 'add_tags' ? `Tagged ${contacts}: ${tags}.` : `Untagged ${contacts}: ${tags}.`
}
