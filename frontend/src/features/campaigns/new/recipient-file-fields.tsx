import { filePlaceholders, isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { useQuery } from '@tanstack/react-query'
import { Input, Radio, Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { useAttributes } from '../../../lib/choices/attributes.ts'
import { Field } from '../../../ui/field.tsx'
import { exampleContacts } from '../choices.ts'
import { type Draft, recipientFileOf } from './draft.ts'
import { audienceOf } from './draft-fields.ts'
import styles from './new-broadcast.module.css'
import { contactFields } from './variables.ts'

const nouns = { image: 'picture', video: 'video', document: 'document' } as const
const endings = { image: 'jpg', video: 'mp4', document: 'pdf' } as const

/** Chooses whether everybody gets the template's file, or each recipient one from an address of their own. */
export function RecipientFileFields({
  kind,
  missing,
}: {
  kind: string | undefined
  /** Reason why the template has no file for everybody. */
  missing: string | undefined
}) {
  const { control, watch, setValue } = useFormContext<Draft>()
  const defined = useAttributes()
  const draft = watch()
  const { data: contacts = [] } = useQuery(exampleContacts(audienceOf(draft)))
  if (!isFileHeader(kind)) return null
  const { isOwn, from, fields } = draft.recipientFile
  const options = [{ label: 'From each contact', options: contactFields(contacts, defined) }]
  const file = recipientFileOf(draft, kind)
  return (
    <fieldset className={styles['group']}>
      <legend>The {nouns[kind]} above the text</legend>
      <Radio.Group
        name="recipientFile"
        aria-label={`The ${nouns[kind]} above the text`}
        value={isOwn}
        options={[
          { value: false, label: 'One file for everybody' },
          { value: true, label: 'A file for each recipient' },
        ]}
        onChange={({ target }) => setValue('recipientFile.isOwn', target.value, { shouldDirty: true })}
      />
      {!isOwn && missing && (
        <p className={styles['lead']}>{missing}: set it under Templates, or choose a file for each recipient.</p>
      )}
      {isOwn && (
        <>
          <Radio.Group
            name="recipientFileFrom"
            aria-label="Where the files are"
            value={from}
            options={[
              { value: 'address', label: 'At an address with variables' },
              { value: 'field', label: 'At the address in a field' },
            ]}
            onChange={({ target }) => setValue('recipientFile.from', target.value, { shouldDirty: true })}
          />
          {from === 'address' ? (
            <Field
              control={control}
              name="recipientFile.address"
              label="Address of the file"
              hint="It has to open without a password. Contacts without a value are left out."
            >
              {(field) => (
                <Input
                  {...field}
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  placeholder={`https://files.example.com/{{order}}.${endings[kind]}`}
                />
              )}
            </Field>
          ) : (
            <Field
              control={control}
              name="recipientFile.field"
              label="Field with the address"
              hint="A whole address that begins with https:// and opens without a password. Contacts without one are left out."
            >
              {({ value, ...field }) => (
                <Select {...field} {...(value && { value })} placeholder="Choose a field" options={options} />
              )}
            </Field>
          )}
          {kind === 'document' && (
            <Field
              control={control}
              name="recipientFile.fileName"
              label="Name of the file"
              hint="As customers see it. Without one it is the last part of the address."
              optional
            >
              {(field) => <Input {...field} dir="auto" autoComplete="off" placeholder="Invoice {{order}}.pdf" />}
            </Field>
          )}
          {file &&
            filePlaceholders(file).map((key) => (
              <Field
                key={key}
                control={control}
                name={`recipientFile.fields.${key}`}
                label={`{{${key}}} in the file from`}
              >
                {({ value: _value, ...field }) => (
                  <Select
                    {...field}
                    {...(fields[key] && { value: fields[key] })}
                    placeholder="Choose a field"
                    options={options}
                  />
                )}
              </Field>
            ))}
        </>
      )}
    </fieldset>
  )
}
