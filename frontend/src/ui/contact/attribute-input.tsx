import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { Input, Select } from 'antd'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { FieldControl } from '../field.tsx'
import { popupInside } from '../popup-inside.ts'

/** Input for a field of this type. */
export function AttributeInput<T extends FieldValues, N extends FieldPath<T>>({
  attribute: { type, choices },
  field,
  autoFocus = false,
}: {
  attribute: Pick<Attribute, 'type' | 'choices'>
  field: FieldControl<T, N>
  autoFocus?: boolean
}) {
  const { ref, value, onChange, ...others } = field
  const text = String(value)
  if (type === 'choice' || type === 'yes_no')
    return (
      <Select
        {...others}
        autoFocus={autoFocus}
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
      autoFocus={autoFocus}
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
