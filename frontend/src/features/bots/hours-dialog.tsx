import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { zodResolver } from '@hookform/resolvers/zod'
import { type AutomationSettings, automationSettingsSchema } from '@parley/contracts/automation/bot-settings'
import { timeZones } from '@parley/contracts/core/time-zones'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { type Control, useFieldArray, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { dayNames } from '../../flow-builder/labels.ts'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { automationSettingsOptions, useSaveAutomationSettings } from './api.ts'
import styles from './hours-dialog.module.css'

type Form = z.input<typeof automationSettingsSchema>

const week = [1, 2, 3, 4, 5, 6, 0] as const
const dayOptions = week.map((day) => ({ value: day, label: dayNames[day] }))

/** Sets, for all bots: business hours, and the words by which customers ask for a person. */
export function HoursDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const settings = useQuery({ ...automationSettingsOptions(), enabled: open })
  const mayNotWrite = useIsRefused('bots:write')
  const save = useSaveAutomationSettings()
  const { control, handleSubmit, reset } = useForm<Form, unknown, AutomationSettings>({
    resolver: zodResolver(automationSettingsSchema),
    ...(settings.data && { values: settings.data }),
    // Changes made here stay when the settings are read again.
    resetOptions: { keepDirtyValues: true },
  })
  const submit = handleSubmit(({ version: _old, ...values }) =>
    save
      .mutateAsync({
        ...values,
        // `null` deletes the stored text; an absent field would keep it.
        closedText: values.closedText ?? null,
        version: settings.data?.version ?? 0,
      })
      .then(
        () => {
          toast.success('Hours and hand-over are saved.')
          onClose()
        },
        (error: unknown) =>
          toast.error(explain(error, 'Hours and hand-over could not be saved. Your changes are kept. Try again.')),
      ),
  )
  return (
    <FormDialog
      open={open}
      title="Hours and Hand-over"
      lead="For all bots of this workspace."
      submitLabel="Save"
      submitDisabled={!settings.data || mayNotWrite}
      pending={save.isPending}
      width={560}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset()}
    >
      {settings.data ? (
        <>
          <Spans control={control} />
          <Field control={control} name="businessHours.timeZone" label="Time zone">
            {(field) => (
              <Select
                {...field}
                showSearch={{ optionFilterProp: 'label' }}
                options={timeZones.map(({ value, label }) => ({ value, label }))}
              />
            )}
          </Field>
          <Field
            control={control}
            name="businessHours.closedOn"
            label="Closed on"
            optional
            hint="Days without service, as 2026-12-25."
          >
            {(field) => <Select {...field} mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />}
          </Field>
          <Field
            control={control}
            name="closedText"
            label="Hand-over outside these hours"
            optional
            hint="Sent in place of a bot’s own hand-over text."
          >
            {({ value, onChange, ...field }) => (
              <Input.TextArea
                {...field}
                value={value ?? ''}
                maxLength={1024}
                autoSize={{ minRows: 2, maxRows: 6 }}
                dir="auto"
                onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
              />
            )}
          </Field>
          <Field
            control={control}
            name="handOverWords"
            label="Words that ask for a person"
            hint="A customer who writes one of them is handed over at any point."
          >
            {(field) => <Select {...field} mode="tags" open={false} suffixIcon={null} tokenSeparators={[',']} />}
          </Field>
        </>
      ) : settings.isError && !settings.isFetching ? (
        <ErrorState
          message={explain(settings.error, 'The settings could not be loaded.')}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <SkeletonBar height="240px" />
      )}
    </FormDialog>
  )
}

/** Opening times; several of one day are several rows. */
function Spans({ control }: { control: Control<Form, unknown, AutomationSettings> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'businessHours.spans' })
  const next = fields.at(-1)
  return (
    <fieldset className={styles['spans']}>
      <legend>Business hours</legend>
      {fields.length === 0 && <p className={styles['quiet']}>None: bots take the business as open at all hours.</p>}
      {fields.map(({ id }, index) => (
        <div key={id} className={styles['span']}>
          <Field control={control} name={`businessHours.spans.${index}.day`} label="Day">
            {(field) => <Select {...field} options={dayOptions} />}
          </Field>
          <Field control={control} name={`businessHours.spans.${index}.from`} label="From">
            {(field) => <Input {...field} type="time" />}
          </Field>
          <Field control={control} name={`businessHours.spans.${index}.to`} label="To">
            {(field) => <Input {...field} type="time" />}
          </Field>
          <IconButton label={`Remove hours ${index + 1}`} onClick={() => remove(index)}>
            <DeleteOutlined aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={fields.length >= 50}
        onClick={() =>
          append({ day: next ? (next.day + 1) % 7 : 1, from: next?.from ?? '09:00', to: next?.to ?? '18:00' })
        }
      >
        Add Hours
      </Button>
    </fieldset>
  )
}
