import type { ContactAction, ContactJob } from '@parley/contracts/contact-jobs'
import { useQueryClient } from '@tanstack/react-query'
import { explain } from '../../../lib/explain.ts'
import { counted } from '../../../lib/format.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { toast } from '../../../ui/toast.ts'
import { type Selection, useContactsRead } from '../api.ts'
import { useStartChange, useUndoJob } from './api.ts'
import { whenEnded } from './use-contact-jobs.ts'

/** Changes everything that a filter matches: work that goes on without this page, and can be undone once it has ended. */
export function useChangeAll() {
  const client = useQueryClient()
  const { mutateAsync: start } = useStartChange()
  const { mutateAsync: undo } = useUndoJob()
  const readAgain = useContactsRead()

  async function takeBack(job: ContactJob): Promise<void> {
    const ended = await whenEnded(client, await undo(job.id))
    await readAgain()
    if (ended?.kept) toast.note(`${counted(ended.kept, 'contact')} changed since then stayed as they are.`)
  }

  return async (selection: Selection, action: ContactAction): Promise<void> => {
    try {
      const job = await whenEnded(client, await start({ selection, action }))
      await readAgain()
      if (job) report(job, action, () => takeBack(job))
    } catch (error) {
      toast.error(explain(error, 'The change could not be started. Try again.'))
    }
  }
}

function report(
  { changed, canUndo, problem, state }: ContactJob,
  action: ContactAction,
  undo: () => Promise<void>,
): void {
  if (problem !== null || state === 'failed') toast.error(problem ?? 'The change did not finish. Try again.')
  else if (canUndo) offerUndo(saying(action, counted(changed, 'contact')), undo)
  else if (state === 'done' && action.kind === 'add_tags')
    toast.note(`Every selected contact has ${action.tags.length > 1 ? 'these tags' : 'this tag'} already.`)
}

const saying = (action: ContactAction, contacts: string): string => {
  if (action.kind === 'delete') return `${contacts} deleted.`
  const tags = action.tags.join(', ')
  return action.kind === 'add_tags' ? `Tagged ${contacts}: ${tags}.` : `Untagged ${contacts}: ${tags}.`
}
