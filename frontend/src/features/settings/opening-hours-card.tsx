import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { zodResolver } from '@hookform/resolvers/zod'
import { timeZonesAt } from '@parley/contracts/core/time-zones'
import { type OpeningHours, openingHoursApi } from '@parley/contracts/inbox/opening-hours'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { useMemo } from 'react'
import { type Control, useFieldArray, useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { openingHoursOptions } from '../../lib/choices/opening-hours.ts'
import { openingHoursKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type OpeningHoursForm, openingHoursSchema } from './forms.ts'
import styles from './opening-hours-card.module.css'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const dayOptions = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: day, label: dayNames[day] }))
const zonesAt = (now: Date) =>
  timeZonesAt(now).map(({ value, label, offset }) => ({ value, label: `${label} (${offset})` }))

/** Hours in which the workspace answers customers. */
export function OpeningHoursCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(openingHoursOptions())
  return (
    <SettingsCard
      title="Opening Hours"
      lead="When your team answers customers. Bots ask for them, response targets count the time within them, and automatic assignment keeps to them."
    >
      <WhenRead query={query} name="The opening hours" height="320px">
        {(data) => <OpeningHoursFields hours={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function OpeningHoursFields({ hours, onDirty }: { hours: OpeningHours; onDirty: ReportDirty }) {
  const zones = useMemo(() => zonesAt(new Date()), [])
  const { timeZone, spans, closedOn, awayAnswer, version } = hours
  const { control, handleSubmit, formState } = useForm<OpeningHoursForm>({
    resolver: zodResolver(openingHoursSchema),
    values: { timeZone, spans, closedOn, awayAnswer },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<OpeningHours>({
    queryKey: openingHoursKeys.all,
    update: (body, intent) => call(openingHoursApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, openingHoursApi.update),
    name: 'The opening hours',
    isPlural: true,
  })
  useReportDirty('opening hours', formState.isDirty, onDirty)
  const submit = handleSubmit((values) => save({ ...values, version }))
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Opening Hours" isPending={isPending}>
      <Spans control={control} />
      <Field control={control} name="timeZone" label="Time zone of these hours">
        {(field) => <Select {...field} showSearch={{ optionFilterProp: 'label' }} options={zones} />}
      </Field>
      <Field
        control={control}
        name="closedOn"
        label="Closed on"
        optional
        hint="Days without service, as 2026-12-25. Press Enter after each."
      >
        {(field) => <Select {...field} mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />}
      </Field>
      <Field
        control={control}
        name="awayAnswer"
        label="Answer outside these hours"
        optional
        hint="Customers who write then get it once until you open again. It is marked as automatic, they wait for you as before, and where a bot answers it is not sent."
      >
        {(field) => <Input.TextArea {...field} autoSize={{ minRows: 2, maxRows: 6 }} maxLength={1000} dir="auto" />}
      </Field>
    </SettingForm>
  )
}

/** Opening times; several of one day are several rows. */
function Spans({ control }: { control: Control<OpeningHoursForm> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'spans' })
  const last = fields.at(-1)
  return (
    <fieldset className={styles['spans']}>
      <legend>Hours</legend>
      {fields.length === 0 && <p className={styles['quiet']}>None: the business counts as open at all hours.</p>}
      {fields.map(({ id }, index) => (
        <div key={id} className={styles['span']}>
          <Field control={control} name={`spans.${index}.day`} label="Day">
            {(field) => <Select {...field} options={dayOptions} />}
          </Field>
          <Field control={control} name={`spans.${index}.from`} label="From">
            {(field) => <Input {...field} type="time" />}
          </Field>
          <Field control={control} name={`spans.${index}.to`} label="To">
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
          append({ day: last ? (last.day + 1) % 7 : 1, from: last?.from ?? '09:00', to: last?.to ?? '18:00' })
        }
      >
        Add Hours
      </Button>
    </fieldset>
  )
}
