import { zodResolver } from '@hookform/resolvers/zod'
import { type Enrolment, enrolmentSchema, type WorkflowSummary } from '@parley/contracts/automation/workflows'
import { InputNumber, Select } from 'antd'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useSaveEnrolment } from './api.ts'

const hour = 3600

const choices: { value: Enrolment['reEnrolment']; label: string }[] = [
  { value: 'never', label: 'Once for each contact' },
  { value: 'when_finished', label: 'Again, once the run before has ended' },
  { value: 'always', label: 'Each time' },
]

/** Sets whether a contact starts a workflow again, and how often it may start. */
export function EnrolmentDialog({
  workflow,
  open,
  onClose,
}: {
  workflow: WorkflowSummary
  open: boolean
  onClose: () => void
}) {
  const mayNotWrite = useIsRefused('workflows:write')
  const save = useSaveEnrolment(workflow.id)
  const { reEnrolment, coolDownSeconds, startsPerHour, perContactPerHour } = workflow
  const { control, handleSubmit, reset } = useForm<z.input<typeof enrolmentSchema>, unknown, Enrolment>({
    resolver: zodResolver(enrolmentSchema),
    values: { reEnrolment, coolDownSeconds, startsPerHour, perContactPerHour },
    resetOptions: { keepDirtyValues: true },
  })
  const submit = handleSubmit((values) =>
    save.mutateAsync({ ...values, version: workflow.version }).then(
      () => {
        toast.success(`${workflow.name} starts by these rules from now on.`)
        onClose()
      },
      (error: unknown) => toast.error(explain(error, 'The rules could not be saved. Your changes are kept.')),
    ),
  )
  return (
    <FormDialog
      open={open}
      title={`When ${workflow.name} starts`}
      lead="What starts it is drawn as a trigger. These rules say how often."
      submitLabel="Save"
      submitDisabled={mayNotWrite}
      pending={save.isPending}
      width={560}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset()}
    >
      <Field control={control} name="reEnrolment" label="A contact starts it">
        {(field) => <Select {...field} options={choices} />}
      </Field>
      <Field
        control={control}
        name="coolDownSeconds"
        label="Hours before the same contact starts it again"
        hint="0: at once."
      >
        {({ value, onChange, ...field }) => (
          <InputNumber
            {...field}
            value={value / hour}
            min={0}
            max={90 * 24}
            step={1}
            onChange={(hours) => onChange(Math.round((hours ?? 0) * hour))}
          />
        )}
      </Field>
      <Field
        control={control}
        name="perContactPerHour"
        label="Starts for one contact within an hour"
        hint="Further ones are held, and you are told."
      >
        {({ value, ...field }) => <InputNumber {...field} value={value ?? null} min={1} max={100} precision={0} />}
      </Field>
      <Field control={control} name="startsPerHour" label="Starts within an hour" hint="Further ones are held, too.">
        {({ value, ...field }) => <InputNumber {...field} value={value ?? null} min={1} max={100_000} precision={0} />}
      </Field>
    </FormDialog>
  )
}
