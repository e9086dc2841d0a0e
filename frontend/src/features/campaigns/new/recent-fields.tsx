import { useFormContext } from 'react-hook-form'
import { DaysInput } from '../../../ui/days-input.tsx'
import { Field } from '../../../ui/field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import type { Draft } from './draft.ts'
import styles from './new-broadcast.module.css'

/** Whether whoever had marketing in the last days is left out, and in how many. */
export function RecentFields() {
  const { control, watch } = useFormContext<Draft>()
  const isOn = watch('skipsRecent')
  return (
    <div className={styles['group']}>
      <SwitchField
        control={control}
        name="skipsRecent"
        label="Leave out who had marketing recently"
        hint="Marketing of any kind counts: campaigns, and templates sent by hand. With other templates nobody is left out for it."
        warning={
          isOn && watch('kind') === 'campaign'
            ? 'The earlier campaign counts too: whoever got it in these days is left out.'
            : undefined
        }
      />
      {isOn && (
        <Field
          control={control}
          name="recentDays"
          label="In the last days"
          hint="Today is one of them: with 7, who had some last Monday can get more this Monday."
        >
          {(field) => <DaysInput {...field} />}
        </Field>
      )}
    </div>
  )
}
