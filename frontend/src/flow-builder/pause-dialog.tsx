import { Radio } from 'antd'
import { useState } from 'react'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.ts'
import type { FlowRuns } from './flow-runs.ts'

/** Pauses a flow that has runs under way: they finish, or end; conversations that they hold go to people. */
export function PauseDialog({
  flow: { id, name, running },
  runs: { kind, useEndRuns },
  open,
  onPause,
  onClose,
}: {
  flow: { readonly id: string; readonly name: string; readonly running: number }
  runs: Pick<FlowRuns, 'kind' | 'useEndRuns'>
  open: boolean
  /** Pauses it and lets its sessions finish. */
  onPause: () => void
  onClose: () => void
}) {
  const word = kind === 'bot' ? 'session' : 'run'
  const [choice, setChoice] = useState<'finish' | 'end'>('finish')
  const end = useEndRuns(id)
  const submit = async () => {
    if (choice === 'finish') onPause()
    else {
      try {
        await end.mutateAsync(undefined)
        toast.success(kind === 'bot' ? `${name} is paused. Its conversations wait for people.` : `${name} is paused.`)
      } catch (error) {
        toast.error(explain(error, `${name} could not be paused.`))
        return
      }
    }
    onClose()
  }
  return (
    <FormDialog
      open={open}
      title={`Pause ${name}`}
      lead={`No new ${word} begins. ${counted(running, word)} ${running === 1 ? 'is' : 'are'} under way.`}
      submitLabel="Pause"
      pending={end.isPending}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onClose={onClose}
      onClosed={() => setChoice('finish')}
    >
      <Radio.Group
        aria-label={kind === 'bot' ? 'Sessions under way' : 'Runs under way'}
        value={choice}
        onChange={({ target }) => setChoice(target.value)}
        vertical
        options={[
          { value: 'finish', label: 'Let them finish' },
          { value: 'end', label: kind === 'bot' ? 'End them and hand the conversations to people' : 'End them' },
        ]}
      />
    </FormDialog>
  )
}
