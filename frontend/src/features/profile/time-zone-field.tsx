import { timeZones } from '@parley/contracts/time-zones'
import { Select } from 'antd'
import type { Control } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import type { ProfileFormValues } from './form-values.ts'
import styles from './profile-form.module.css'

const options = timeZones.map(({ value, label, offset }) => ({
  value,
  label: `${label} (${offset})`,
  name: label,
  offset,
}))

/** Found by city, IANA name or offset; a plain minus counts as the typographic one of the offsets. */
export function matchesTimeZone(search: string, { value, label }: { value: string; label: string }): boolean {
  const wanted = search.trim().toLowerCase().replace('-', '−')
  const name = value.toLowerCase().replaceAll('_', ' ')
  return label.toLowerCase().includes(wanted) || name.includes(search.trim().toLowerCase().replaceAll('_', ' '))
}

/** The searchable select of time zones, sorted by label. */
export function TimeZoneField({ control }: { control: Control<ProfileFormValues> }) {
  return (
    <Field control={control} name="timezone" label="Time Zone" hint="Times on screen are shown in this zone.">
      {(field) => (
        <Select
          {...field}
          options={options}
          showSearch={{ filterOption: (search, option) => option !== undefined && matchesTimeZone(search, option) }}
          optionRender={({ data }) => (
            <span className={styles['option']}>
              <span>{data.name}</span>
              <span className={styles['aside']}>{data.offset}</span>
            </span>
          )}
        />
      )}
    </Field>
  )
}
