import { offerEndsKey } from '@parley/contracts/templates/template-offers'
import { useQuery } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { useAttributes } from '../../../lib/choices/attributes.ts'
import { Field } from '../../../ui/field.tsx'
import { OfferEndInput } from '../../../ui/variable-input.tsx'
import { exampleContacts } from '../choices.ts'
import type { Draft } from './draft.ts'
import { audienceOf } from './draft-fields.ts'
import styles from './new-broadcast.module.css'
import { contactFields } from './variables.ts'

/** Selects the source of one placeholder's value: a text for all, or a field of each contact with a fallback. */
export function VariableFields({ name, sample }: { name: string; sample: string | undefined }) {
  const { control, watch } = useFormContext<Draft>()
  const defined = useAttributes()
  const { data: contacts = [] } = useQuery(exampleContacts(audienceOf(watch())))
  const variable = watch(`variables.${name}`)
  // The variable is added a moment after the template was chosen.
  if (!variable) return null
  // One end for all, who would not understand each other’s offers otherwise.
  if (name === offerEndsKey)
    return (
      <Field
        control={control}
        name={`variables.${name}.text`}
        label="Offer ends"
        hint="For all recipients. A message that has not left by then is not sent."
      >
        {({ ref: _ref, ...field }) => <OfferEndInput {...field} />}
      </Field>
    )
  return (
    <div className={styles['pair']}>
      <Field control={control} name={`variables.${name}.source`} label={`{{${name}}} from`}>
        {(field) => (
          <Select
            {...field}
            options={[
              { value: 'text', label: 'The same text for all' },
              { label: 'From each contact', options: contactFields(contacts, defined) },
            ]}
          />
        )}
      </Field>
      {variable.source === 'text' ? (
        <Field key="text" control={control} name={`variables.${name}.text`} label={`Text for {{${name}}}`}>
          {(field) => (
            <Input {...field} dir="auto" autoComplete="off" {...(sample && { placeholder: `Such as ${sample}` })} />
          )}
        </Field>
      ) : (
        <Field key="fallback" control={control} name={`variables.${name}.fallback`} label={`Fallback for {{${name}}}`}>
          {(field) => (
            <Input {...field} dir="auto" autoComplete="off" placeholder="Used for contacts without this field" />
          )}
        </Field>
      )}
    </div>
  )
}
