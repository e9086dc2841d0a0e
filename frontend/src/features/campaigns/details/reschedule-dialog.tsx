import { zodResolver } from '@hookform/resolvers/zod'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '../../../lib/api.ts'
import { useWorkspaceZone } from '../../../lib/choices/sending-hours.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useChangeCampaign } from '../api.ts'
import { startTime } from '../labels.ts'
import styles from './details.module.css'

const timeHasPassed = 'That time has passed: choose a later one'

const valuesSchema = (timeZone: string) =>
  z
    .object({ date: z.string().min(1, 'Choose a date'), time: z.string().min(1, 'Choose a time') })
    .superRefine((wall, check) => {
      const at = momentOf(wall, timeZone)
      if (at && at.getTime() <= Date.now()) check.addIssue({ code: 'custom', path: ['time'], message: timeHasPassed })
    })

/** Dialog to choose another start for a campaign that has not begun, by the clock of the workspace. */
export function RescheduleDialog({
  open,
  campaign: { id, name, schedule, scheduledFor },
  onClose,
}: {
  open: boolean
  campaign: Campaign
  onClose: () => void
}) {
  const { timeZone } = useWorkspaceZone()
  const { now } = useClock(0)
  const change = useChangeCampaign(id)
  const planned =
    schedule ?? (scheduledFor ? wallTimeOf(new Date(scheduledFor), timeZone) : { date: '', time: '10:00' })
  const { control, handleSubmit, reset, setError, watch } = useForm({
    values: planned,
    resetOptions: { keepDirtyValues: true },
    resolver: zodResolver(valuesSchema(timeZone)),
  })
  const at = momentOf(watch(), timeZone)
  const submit = handleSubmit((wall) =>
    change.mutate(
      { action: 'reschedule', schedule: { ...wall, timeZone } },
      {
        onSuccess: ({ scheduledFor: start }) => {
          onClose()
          toast.success(start ? `${name} starts on ${startTime(start, timeZone)}` : `${name} is scheduled`)
        },
        onError: (error) => {
          if (error instanceof ApiError && error.body.code === 'schedule_past')
            setError('time', { message: timeHasPassed }, { shouldFocus: true })
        },
      },
    ),
  )
  return (
    <FormDialog
      open={open}
      title={`Reschedule ${name}`}
      submitLabel="Reschedule"
      pending={change.isPending}
      onSubmit={submit}
      onClose={onClose}
      onClosed={() => reset(planned)}
    >
      <div className={styles['pair']}>
        <Field control={control} name="date" label="Date">
          {(field) => <Input {...field} type="date" min={wallTimeOf(now, timeZone).date} />}
        </Field>
        <Field control={control} name="time" label="Time">
          {(field) => <Input {...field} type="time" />}
        </Field>
      </div>
      <p className={styles['over']} aria-live="polite">
        {at
          ? `It starts on ${startTime(at.toISOString(), timeZone)}, by the clock of the workspace.`
          : 'Choose a date and a time.'}
      </p>
    </FormDialog>
  )
}
