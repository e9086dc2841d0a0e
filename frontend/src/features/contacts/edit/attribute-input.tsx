import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { Input, Select } from 'antd'
import type { FieldPath } from 'react-hook-form'
import type { FieldControl } from '../../../ui/field.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import type { ContactFormValues } from './contact-form.ts'

/** Input for a field of this type. */
export function AttributeInput({
  attribute: { type, choices },
  field,
}: {
  attribute: Attribute
  field: FieldControl<ContactFormValues, FieldPath<ContactFormValues>>
}) {
  const { ref, value, onChange, ...others } = field
  const text = String(value)
  if (type === 'choice' || type === 'yes_no')
    return (
      <Select
        {...others}
        value={text === '' ? null : text}
        placeholder="Not known"
        options={
          type === 'choice'
            ? choices.map((choice) => ({ value: choice, label: choice }))
            : [
                { value: 'yes', label: 'Yes' },
                { value: 'no', label: 'No' },
              ]
        }
        allowClear
        showSearch={choices.length > 8 && { optionFilterProp: 'label' }}
        onChange={(chosen: string | null | undefined) => onChange(chosen ?? '')}
        getPopupContainer={popupInside}
      />
    )
  return (
    <Input
      {...others}
      ref={ref}
      value={text}
      onChange={onChange}
      maxLength={1000}
      autoComplete="off"
      dir="auto"
      {...(type === 'date' && { type: 'date' })}
      {...(type === 'number' && { inputMode: 'decimal' as const })}
    />
  )
}
