import { buttonTexts } from '@parley/contracts/templates/template-buttons'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { Input, Select } from 'antd'
import { useId } from 'react'
import { get, useController, useFormContext } from 'react-hook-form'
import { HeaderInput } from '../header-input.tsx'
import { CharacterCount } from './character-count.tsx'
import styles from './editor.module.css'
import { TemplateField, useFinding } from './findings.tsx'
import type { TemplateFormValues } from './form-values.ts'

const kinds = [
  { value: 'text', label: 'Text, or none' },
  { value: 'image', label: 'Picture' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'Document (PDF)' },
  { value: 'location', label: 'Place' },
  { value: 'product', label: 'Product of your catalogue' },
] as const

/** Edits the header above the message: a line of text, a file, a place or a product. */
export function HeaderField() {
  const id = useId()
  const { control, formState, getValues, setValue } = useFormContext<TemplateFormValues>()
  const { field } = useController({ control, name: 'headerMedia' })
  const finding = useFinding('headerMedia')
  const value: HeaderMedia | undefined = field.value
  const errorAt = (path: string): string | undefined => get(formState.errors, `headerMedia${path}.message`)
  const errors = {
    '':
      errorAt('') ??
      errorAt('.root') ??
      errorAt('.file') ??
      (value?.kind === 'location' ? errorAt('.place') : undefined) ??
      (value?.kind === 'product' ? errorAt('.product') : undefined),
    ...Object.fromEntries(
      ['place.name', 'place.address', 'place.latitude', 'place.longitude', 'product.id', 'product.catalogId'].map(
        (name) => [name, errorAt(`.${name}`)],
      ),
    ),
  }
  const choose = (kind: (typeof kinds)[number]['value']) => {
    field.onChange(kind === 'text' ? undefined : { kind })
    const others = getValues('buttons').filter((button) => button.kind !== 'product')
    if (kind === 'product') setValue('buttons', [...others, { kind, text: buttonTexts.product }], { shouldDirty: true })
    else if (others.length < getValues('buttons').length) setValue('buttons', others, { shouldDirty: true })
  }
  return (
    <>
      <div className={styles['account']}>
        <label htmlFor={id}>Kind of header</label>
        <Select id={id} value={value?.kind ?? 'text'} options={[...kinds]} onChange={choose} />
      </div>
      {value ? (
        <HeaderInput value={value} errors={{ ...errors, '': errors[''] ?? finding }} onChange={field.onChange} />
      ) : (
        <TemplateField
          control={control}
          name="header"
          label="Header"
          optional
          hint="One line in bold. It can contain one variable."
          aside={<CharacterCount name="header" max={templateLimits.headerText} />}
        >
          {(input) => <Input {...input} dir="auto" autoComplete="off" />}
        </TemplateField>
      )}
    </>
  )
}
