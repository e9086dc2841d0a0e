import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import { Radio } from 'antd'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { counted } from '../../lib/format.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useEndSessions } from './api.ts'

/** Pauses a bot that is talking to customers: its sessions finish, or end and go to people. */
export function PauseDialog({
  bot: { id, name, running },
  open,
  onPause,
  onClose,
}: {
  bot: BotSummary
  open: boolean
  /** Pauses it and lets its sessions finish. */
  onPause: () => void
  onClose: () => void
}) {
  const [choice, setChoice] = useState<'finish' | 'end'>('finish')
  const end = useEndSessions(id)
  const submit = async () => {
    if (choice === 'finish') onPause()
    else {
      try {
        await end.mutateAsync(undefined)
        toast.success(`${name} is paused. Its conversations wait for people.`)
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
      lead={`No new session begins. ${counted(running, 'session')} ${running === 1 ? 'is' : 'are'} under way.`}
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
        aria-label="Sessions under way"
        value={choice}
        onChange={({ target }) => setChoice(target.value)}
        vertical
        options={[
          { value: 'finish', label: 'Let them finish' },
          { value: 'end', label: 'End them and hand the conversations to people' },
        ]}
      />
    </FormDialog>
  )
}
