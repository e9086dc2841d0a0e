import { useFormContext } from 'react-hook-form'
import { DaysInput } from '../../../ui/days-input.tsx'
import { Field } from '../../../ui/field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import type { Draft } from './draft.ts'
import styles from './new-broadcast.module.css'

/** Selects whether contacts with recent marketing are left out, and in how many days. */
export function RecentFields() {
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
