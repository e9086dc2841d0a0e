import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { startableWorkflows } from '../../../lib/choices/workflows.ts'
import { explain } from '../../../lib/explain.ts'
import { flowJobResult, useStartRuns, whenFlowJobEnded } from '../../../lib/flow-jobs.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import fields from '../../../ui/field.module.css'
import { popupInside } from '../../../ui/popup-inside.ts'
import { toast } from '../../../ui/toast.ts'

/** Starts a workflow for one contact, and says what came of it. */
export function StartWorkflowDialog({
  contact,
  open,
  onClose,
}: {
  contact: Contact
  open: boolean
  onClose: () => void
}) {
  const field = useId()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const workflows = useQuery({ ...startableWorkflows(), enabled: open })
  const { mutateAsync: start, isPending } = useStartRuns()

  async function submit() {
    const workflow = workflows.data?.find(({ id }) => id === chosen)
    if (!workflow) return
    try {
      const job = await start({ workflowId: workflow.id, action: { kind: 'contact', contactId: contact.id } })
      onClose()
      const ended = await whenFlowJobEnded(client, job)
      if (!ended) return
      if (ended.changed > 0 && ended.held === 0) toast.success(`${workflow.name} was started for ${contact.name}.`)
      else toast.note(`${workflow.name}: ${flowJobResult(ended)}`)
    } catch (error) {
      toast.error(explain(error, 'The workflow could not be started. Try again.'))
    }
  }

  return (
    <FormDialog
      open={open}
      title={`Start a workflow for ${contact.name}`}
      lead="It begins at its first trigger, and its own rules say whether a contact may take part again."
      submitLabel="Start"
      submitDisabled={chosen === undefined}
      pending={isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
      onClosed={() => setChosen(undefined)}
    >
      <div className={fields['field']}>
        <label htmlFor={field} className={fields['label']}>
          Workflow
        </label>
        <Select
          id={field}
          {...(chosen !== undefined && { value: chosen })}
          placeholder="Choose an active workflow"
          loading={workflows.isFetching}
          notFoundContent={workflows.isLoadingError ? 'The workflows could not be loaded' : 'No workflow is active'}
          options={workflows.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          onChange={setChosen}
          getPopupContainer={popupInside}
        />
      </div>
    </FormDialog>
  )
}
