import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn, useFormContext } from 'react-hook-form'
import { countryOptions, type Mobile, matchesCountry, readInternational } from '../lib/mobile.ts'
import { Field } from './field.tsx'
import styles from './mobile-fields.module.css'
import { popupInside } from './popup-inside.ts'

/**
 * Country code and number of a form that has the fields `country` and `number`. A whole international number typed or
 * pasted into the second moves its code to the first.
 */
export const MobileFields = <T extends FieldValues & Mobile>({
  form,
  label = 'Mobile Number',
  autoComplete = 'tel',
}: {
  form: UseFormReturn<T>
  label?: string
  autoComplete?: string
}) => (
  <FormProvider {...form}>
    <Fields label={label} autoComplete={autoComplete} />
  </FormProvider>
)

function Fields({ label, autoComplete }: { label: string; autoComplete: string }) {
  const { control, setValue, clearErrors } = useFormContext<Mobile>()
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
            notFoundContent="No countries match."
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
      <Field control={control} name="number" label={label}>
        {({ onBlur, ...field }) => (
          <Input
            {...field}
            type="tel"
            inputMode="tel"
            autoComplete={autoComplete}
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
