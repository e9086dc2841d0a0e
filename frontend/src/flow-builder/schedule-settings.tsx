import { timingSchema } from '@parley/contracts/automation/schedule'
import { defaultTimeZone, timeZones } from '@parley/contracts/core/time-zones'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { nextStart } from '@parley/flow/schedule'
import { Checkbox, Input, InputNumber, Select } from 'antd'
import { type Control, useController, useWatch } from 'react-hook-form'
import { fullTime } from '../lib/relative-time.ts'
import { useNow } from '../lib/use-now.ts'
import { Field } from '../ui/field.tsx'
import { useChoices } from './builder-context.ts'
import { FilterSetting } from './filter-setting.tsx'
import styles from './inspector.module.css'
import { dayNames } from './labels.ts'
import type { NodeFormValues } from './node-form-values.ts'
import { SelectSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

const repeats = [
  { value: 'once', label: 'Once' },
  { value: 'day', label: 'Every day' },
  { value: 'weekday', label: 'Monday to Friday' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
] as const
type Every = (typeof repeats)[number]['value']
const week = [1, 2, 3, 4, 5, 6, 0] as const

/** Edits when a workflow starts by the clock, and for whom. */
export function ScheduleSettings({ control }: { control: FormControl }) {
  const { segments = [] } = useChoices()
  const { field: repeat } = useController({ control, name: 'settings.repeat' })
  const { field: zone } = useController({ control, name: 'settings.timeZone' })
  const timeZone = typeof zone.value === 'string' ? zone.value : defaultTimeZone
  const every = repeats.find(({ value }) => value === partOf(repeat.value, 'every'))?.value ?? 'day'
  return (
    <>
      <Field control={control} name="settings.repeat" label="Repeats">
        {({ onChange, value: _, ...field }) => (
          <Select
            {...field}
            value={every}
            options={[...repeats]}
            onChange={(next: Every) => onChange(beginning(next, timeZone))}
          />
        )}
      </Field>
      {every === 'once' && (
        <Field control={control} name="settings.repeat.date" label="Date">
          {({ value, ...field }) => <Input {...field} type="date" value={String(value ?? '')} />}
        </Field>
      )}
      {every === 'week' && <Weekdays control={control} />}
      {every === 'month' && (
        <Field
          control={control}
          name="settings.repeat.day"
          label="Day of the month"
          hint="In shorter months: their last day."
        >
          {({ value, ...field }) => (
            <InputNumber {...field} min={1} max={31} precision={0} value={typeof value === 'number' ? value : null} />
          )}
        </Field>
      )}
      <Field control={control} name="settings.time" label="Time">
        {({ value, ...field }) => <Input {...field} type="time" value={String(value ?? '')} />}
      </Field>
      <Field control={control} name="settings.timeZone" label="Time zone">
        {({ value, ...field }) => (
          <Select
            {...field}
            value={String(value ?? '')}
            options={timeZones.map((one) => ({ value: one.value, label: one.label }))}
            showSearch={{ optionFilterProp: 'label' }}
          />
        )}
      </Field>
      <NextStart control={control} />
      <SelectSetting
        control={control}
        name="segmentId"
        label="For whom"
        hint="Everyone who is in the segment at that moment."
        placeholder="Choose a segment"
        options={segments.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FilterSetting control={control} />
    </>
  )
}

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined

/** Returns a pattern as it is first shown: today's date, or Monday, or the first of a month. */
function beginning(every: Every, timeZone: string): object {
  if (every === 'once') return { every, date: wallTimeOf(new Date(), timeZone).date }
  if (every === 'week') return { every, days: [1] }
  return every === 'month' ? { every, day: 1 } : { every }
}

function Weekdays({ control }: { control: FormControl }) {
  const { field, fieldState } = useController({ control, name: 'settings.repeat.days' })
  const days: readonly unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <fieldset className={styles['choices']}>
      <legend>Days</legend>
      <div className={styles['days']}>
        {week.map((day) => (
          <Checkbox
            key={day}
            checked={days.includes(day)}
            onChange={({ target }) =>
              field.onChange(week.filter((one) => (one === day ? target.checked : days.includes(one))))
            }
          >
            {dayNames[day]}
          </Checkbox>
        ))}
      </div>
      {fieldState.error && <p role="alert">{fieldState.error.message}</p>}
    </fieldset>
  )
}

/** Says when the pattern starts next. */
function NextStart({ control }: { control: FormControl }) {
  const timing = timingSchema.safeParse(useWatch({ control, name: 'settings' }))
  const now = useNow(0)
  if (!timing.success) return null
  const next = nextStart(timing.data, now)
  return (
    <p className={styles['note']} role="status">
      {next
        ? `Next start, once it is published: ${fullTime(next.at, timing.data.timeZone)}`
        : 'This time is over. Choose a later one.'}
    </p>
  )
}
