import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { segmentChoices } from '../../../lib/choices/segments.ts'
import { tagChoices } from '../../../lib/choices/tags.ts'
import { formatCount } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import type { Draft } from './draft.ts'
import styles from './new-broadcast.module.css'

/** Selects whether some of the audience are left out by tag or segment, and by which. */
export function LeaveOutFields() {
  const { control, watch } = useFormContext<Draft>()
  return (
    <div className={styles['group']}>
      <SwitchField
        control={control}
        name="leavesOut"
        label="Leave out by tag or segment"
        hint="Anyone who has one of these tags, or is in one of these segments, does not get the message."
      />
      {watch('leavesOut') && <LeftOut />}
    </div>
  )
}

function LeftOut() {
  const { control, formState, trigger } = useFormContext<Draft>()
  const { isSubmitted } = formState
  const { data: tags = [], isPending: areTagsPending } = useQuery(tagChoices())
  const { data: segments, isPending } = useQuery(segmentChoices())
  return (
    <div className={styles['pair']}>
      <Field control={control} name="withoutTags" label="Without these tags">
        {(field) => (
          <Select
            {...field}
            mode="multiple"
            loading={areTagsPending}
            placeholder="Choose tags"
            options={tags.map(({ name, contacts }) => ({ value: name, label: `${name} (${formatCount(contacts)})` }))}
          />
        )}
      </Field>
      <Field control={control} name="withoutSegments" label="Without these segments">
        {({ value, ...field }) => {
          const gone = value.filter((id) => segments && !segments.some((segment) => segment.id === id))
          return (
            <Select
              {...field}
              value={value}
              onChange={(chosen: string[]) => {
                field.onChange(chosen)
                // The error for an empty choice shows beside the tags.
                if (isSubmitted) void trigger('withoutTags')
              }}
              mode="multiple"
              loading={isPending}
              placeholder="Choose segments"
              optionFilterProp="label"
              options={[
                ...(segments ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ...gone.map((id) => ({ value: id, label: 'A deleted segment' })),
              ]}
            />
          )
        }}
      </Field>
    </div>
  )
}
