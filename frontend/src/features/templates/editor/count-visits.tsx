import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { useId } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { templateTrackingOptions } from '../api.ts'
import styles from './editor.module.css'
import type { TemplateFormValues } from './form-values.ts'

/** Sets whether visits of a button's address are counted, and shows what customers see then. */
export function CountVisits({ index }: { index: number }) {
  const hintId = useId()
  const { control } = useFormContext<TemplateFormValues>()
  const { field } = useController({ control, name: `buttons.${index}.tracked` })
  const { data } = useQuery(templateTrackingOptions())
  const isOn = field.value !== undefined
  return (
    <div className={styles['visits']}>
      <Checkbox
        name={field.name}
        ref={field.ref}
        checked={isOn}
        disabled={!isOn && !data?.address}
        aria-describedby={hintId}
        onBlur={field.onBlur}
        onChange={({ target }) => field.onChange(target.checked ? data?.address : undefined)}
      >
        Count visits
      </Checkbox>
      <p id={hintId} className={styles['visitsHint']}>
        {hintOf(data?.address, isOn)}
      </p>
    </div>
  )
}

function hintOf(address: string | null | undefined, isOn: boolean): string {
  if (address === null)
    return 'Visits cannot be counted because no link address is set up. Ask your Parley administrator.'
  if (address === undefined) return 'Tells which recipients of a campaign open it.'
  return isOn
    ? `Customers see ${address}… instead of this address and are redirected to it.`
    : `Tells which recipients of a campaign open it. Customers then see ${address}… instead of this address.`
}
