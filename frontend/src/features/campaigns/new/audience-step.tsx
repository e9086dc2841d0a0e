import { Input, Radio } from 'antd'
import { useFormContext } from 'react-hook-form'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { Field } from '../../../ui/field.tsx'
import { ContactsField, MissedField, SegmentField, TagsField } from './audience-fields.tsx'
import type { Draft } from './draft.ts'
import { ImportField } from './import-field.tsx'
import { LeaveOutFields } from './leave-out-fields.tsx'
import styles from './new-broadcast.module.css'
import { Reach } from './reach.tsx'
import { RecentFields } from './recent-fields.tsx'

const kinds = [
  { value: 'segment', label: 'A segment' },
  { value: 'tags', label: 'Tags' },
  { value: 'contacts', label: 'Selected contacts' },
  { value: 'import', label: 'People of an import' },
] as const
const earlier = { value: 'campaign', label: 'An earlier campaign' } as const

/** Step 1: the campaign's name, and who it is for. */
export function AudienceStep() {
  const { control, watch, setValue } = useFormContext<Draft>()
  const kind = watch('kind')
  // Members who may not see imports can still continue with a draft that names one.
  const mayNotImport = useIsRefused('contacts:import')
  const offered = kinds.filter(({ value }) => value !== 'import' || value === kind || !mayNotImport)
  return (
    <div className={styles['columns']}>
      <div className={styles['fields']}>
        <Field control={control} name="name" label="Campaign name" hint="Only your team sees it.">
          {(field) => <Input {...field} dir="auto" autoComplete="off" autoFocus={field.value === ''} />}
        </Field>
        <fieldset className={styles['group']}>
          <legend>Send to</legend>
          <Radio.Group
            name="kind"
            value={kind}
            options={watch('earlierId') === '' ? offered : [earlier, ...offered]}
            onChange={({ target }) => setValue('kind', target.value, { shouldDirty: true })}
          />
        </fieldset>
        {kind === 'campaign' && <MissedField />}
        {kind === 'segment' && <SegmentField />}
        {kind === 'tags' && <TagsField />}
        {kind === 'contacts' && <ContactsField />}
        {kind === 'import' && <ImportField />}
        <LeaveOutFields />
        <RecentFields />
      </div>
      <Reach />
    </div>
  )
}
