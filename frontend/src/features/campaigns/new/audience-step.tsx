import { Input, Radio } from 'antd'
import { useFormContext } from 'react-hook-form'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { DaysInput } from '../../../ui/days-input.tsx'
import { Field } from '../../../ui/field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { ContactsField, MissedField, SegmentField, TagsField } from './audience-fields.tsx'
import type { Draft } from './draft.ts'
import { ImportField } from './import-field.tsx'
import { LeaveOutFields } from './leave-out-fields.tsx'
import styles from './new-broadcast.module.css'
import { Reach } from './reach.tsx'

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

/** Selects whether contacts with recent marketing are left out, and in how many days. */
function RecentFields() {
  const { control, watch } = useFormContext<Draft>()
  const isOn = watch('skipsRecent')
  return (
    <div className={styles['group']}>
      <SwitchField
        control={control}
        name="skipsRecent"
        label="Leave out contacts who got marketing recently"
        hint="Counts marketing from campaigns and from templates sent by hand. Has no effect if this campaign’s template is not marketing."
        warning={
          isOn && watch('kind') === 'campaign'
            ? 'The earlier campaign counts too: contacts who got it in this period are left out.'
            : undefined
        }
      />
      {isOn && (
        <Field
          control={control}
          name="recentDays"
          label="In the last days"
          hint="Includes today. With 7, contacts who got marketing last Monday can get it again this Monday."
        >
          {(field) => <DaysInput {...field} />}
        </Field>
      )}
    </div>
  )
}
