import { timeZones } from '@parley/contracts/core/time-zones'
import { Checkbox, Input } from 'antd'
import { type Control, useController } from 'react-hook-form'
import { Field } from '../ui/field.tsx'
import styles from './inspector.module.css'
import { dayNames } from './labels.ts'
import type { NodeFormValues } from './node-form-values.ts'
import { SelectSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

const week = [1, 2, 3, 4, 5, 6, 0] as const

export function BusinessHoursSettings({ control }: { control: FormControl }) {
  const { field: days } = useController({ control, name: 'settings.days' })
  const chosen = Array.isArray(days.value) ? days.value : []
  return (
    <>
      <fieldset className={styles['choices']}>
        <legend>Days</legend>
        <div className={styles['days']}>
          {week.map((day) => (
            <Checkbox
              key={day}
              checked={chosen.includes(day)}
              onChange={({ target }) =>
                days.onChange(week.filter((one) => (one === day ? target.checked : chosen.includes(one))))
              }
            >
              {dayNames[day]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <div className={styles['pair']}>
        <TimeSetting control={control} name="settings.from" label="From" />
        <TimeSetting control={control} name="settings.to" label="To" />
      </div>
      <SelectSetting
        control={control}
        name="timeZone"
        label="Time zone"
        options={timeZones.map(({ value, label }) => ({ value, label }))}
      />
    </>
  )
}

function TimeSetting({
  control,
  name,
  label,
}: {
  control: FormControl
  name: 'settings.from' | 'settings.to'
  label: string
}) {
  return (
    <Field control={control} name={name} label={label}>
      {({ value, ...field }) => <Input {...field} type="time" value={typeof value === 'string' ? value : ''} />}
    </Field>
  )
}
