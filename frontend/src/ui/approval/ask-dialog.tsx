import { useState } from 'react'
import { closeRefused, useApprovalChanges, useRefused } from '../../lib/approvals.ts'
import { useLast } from '../../lib/use-last.ts'
import { FormDialog } from '../dialog.tsx'
import { toast } from '../toast.ts'
import { ApprovalNote } from './approval-note.tsx'

/** Asks owners and admins for the approval that an action was refused for. */
export function AskApprovalDialog() {
  const refused = useRefused()
  const shown = useLast(refused)
  const [note, setNote] = useState('')
  const { askFor } = useApprovalChanges()
  if (!shown) return null
  const ask = () =>
    askFor.mutate(
      { action: shown.action, note },
      {
        onSuccess: () => {
          closeRefused()
          toast.success('Asked. You are told once somebody has decided.')
        },
      },
    )
  return (
    <FormDialog
      open={refused !== undefined}
      title="Ask for an approval?"
      lead={shown.message}
      submitLabel="Ask for Approval"
      pending={askFor.isPending}
      onSubmit={ask}
      onClose={closeRefused}
      onClosed={() => setNote('')}
    >
      <ApprovalNote note={note} onChange={setNote} />
    </FormDialog>
  )
}
