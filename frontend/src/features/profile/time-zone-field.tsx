import { type TimeZoneOption, timeZonesAt } from '@parley/contracts/core/time-zones'
import { Select } from 'antd'
import { useMemo } from 'react'
import type { Control } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { popupInside } from '../../ui/popup-inside.ts'
import type { ProfileFormValues } from './form-values.ts'
import styles from './profile-form.module.css'

const optionsAt = (now: Date) =>
  timeZonesAt(now).map((zone) => ({ value: zone.value, label: `${zone.label} (${zone.offset})`, zone }))

/** The searchable select of time zones, sorted by label. */
export function TimeZoneField({ control }: { control: Control<ProfileFormValues> }) {
  const options = useMemo(() => optionsAt(new Date()), [])
  return (
    <Field control={control} name="timezone" label="Time Zone" hint="Times on screen are shown in this zone.">
      {(field) => (
        <Select
          {...field}
          options={options}
          notFoundContent="No time zones match."
          getPopupContainer={popupInside}
          showSearch={{
            filterOption: (search, option) => option !== undefined && matchesTimeZone(search, option.zone),
          }}
          optionRender={({ data }) => (
            <span className={styles['option']}>
              <span>{data.zone.label}</span>
              <span className={styles['aside']}>{data.zone.offset}</span>
            </span>
          )}
        />
      )}
    </Field>
  )
}

/** True where a typed search matches a zone by label, IANA name or offset: `tokyo`, `new york`, `+5:30`, `utc-5`. */
export function matchesTimeZone(
  search: string,
  { value, label, offset }: TimeZoneOption & { readonly offset: string },
): boolean {
  const wanted = plain(search)
  const [, sign, hours = '', minutes = ''] = /^(?:utc|gmt)?([+-])(\d{1,2})(:\d{0,2})?$/.exec(wanted) ?? []
  if (sign) return plain(offset).startsWith(`utc${sign}${hours.padStart(2, '0')}${minutes}`)
  return [value, label, offset].some((text) => plain(text).includes(wanted))
}

/** Lower case, without accents, underscores and the typographic minus of the offsets. */
const plain = (text: string) =>
  text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('_', ' ').replaceAll('−', '-')
