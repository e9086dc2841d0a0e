import { Switch } from 'antd'
import type { FieldPathByValue, FieldValues } from 'react-hook-form'
import { Field, type FieldProps } from './field.tsx'
import styles from './switch-field.module.css'

/** A labelled switch of a react-hook-form form. */
export function SwitchField<T extends FieldValues, N extends FieldPathByValue<T, boolean>>(
  props: Omit<FieldProps<T, N>, 'children'>,
) {
  return (
    <Field {...props}>
      {({ value, status: _status, ...field }) => (
        <Switch {...field} className={styles['switch'] ?? ''} checked={value} />
      )}
    </Field>
  )
}
