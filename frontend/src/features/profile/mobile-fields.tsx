import { Input, Select } from 'antd'
import { useMemo } from 'react'
import type { Control, UseFormClearErrors, UseFormSetValue } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import type { ProfileFormValues } from './form-values.ts'
import { countryOptions, matchesCountry, readInternational } from './mobile.ts'
import { popupInside } from './popup-inside.ts'
import styles from './profile-form.module.css'

/** Country code and number. A whole international number typed or pasted into the second moves its code to the first. */
export function MobileFields({
  control,
  setValue,
  clearErrors,
}: {
  control: Control<ProfileFormValues>
  setValue: UseFormSetValue<ProfileFormValues>
  clearErrors: UseFormClearErrors<ProfileFormValues>
}) {
  const options = useMemo(
    () => countryOptions().map((option) => ({ ...option, label: option.callingCode, title: option.name })),
    [],
  )

  function moveCode(text: string) {
    const mobile = readInternational(text)
    if (!mobile) return
    setValue('country', mobile.country, { shouldDirty: true })
    setValue('number', mobile.number, { shouldDirty: true, shouldValidate: true })
  }

  return (
    <div className={styles['mobile']}>
      <Field control={control} name="country" label="Country Code">
        {({ onChange, ...field }) => (
          <Select
            {...field}
            onChange={(country) => {
              onChange(country)
              // The number may be right under the new code; saving will tell.
              clearErrors('number')
            }}
            notFoundContent="No country matches."
            options={options}
            showSearch={{ filterOption: (search, option) => option !== undefined && matchesCountry(search, option) }}
            popupMatchSelectWidth={288}
            getPopupContainer={popupInside}
            optionRender={({ data }) => (
              <span className={styles['option']}>
                <span>{data.name}</span>
                <span className={styles['aside']}>{data.callingCode}</span>
              </span>
            )}
          />
        )}
      </Field>
      <Field control={control} name="number" label="Mobile Number">
        {({ onBlur, ...field }) => (
          <Input
            {...field}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={32}
            onBlur={() => {
              onBlur()
              moveCode(field.value)
            }}
          />
        )}
      </Field>
    </div>
  )
}
