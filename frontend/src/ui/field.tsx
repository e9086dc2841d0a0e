import { type ReactNode, useId } from 'react'
import {
  type Control,
  type ControllerRenderProps,
  type FieldPath,
  type FieldValues,
  useController,
} from 'react-hook-form'
import styles from './field.module.css'

/** What the control inside a field takes: spread it over antd's Input, Select and the like. */
export interface FieldControl<T extends FieldValues, N extends FieldPath<T>> extends ControllerRenderProps<T, N> {
  id: string
  status?: 'error'
  'aria-invalid'?: true
  'aria-describedby'?: string
}

/** One labelled control of a react-hook-form form; its error stands below it and is read with it. */
export function Field<T extends FieldValues, N extends FieldPath<T>>({
  control,
  name,
  label,
  hint,
  optional = false,
  aside,
  children,
}: {
  control: Control<T>
  name: N
  label: string
  hint?: string
  optional?: boolean
  /** A link about this field. It stands right of the label, but Tab reaches the control first. */
  aside?: ReactNode
  children: (props: FieldControl<T, N>) => ReactNode
}) {
  const id = useId()
  const { field, fieldState } = useController({ control, name })
  const error = fieldState.error?.message
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
        {optional && <span className={styles['optional']}> (optional)</span>}
      </label>
      {children({
        ...field,
        id,
        ...(error ? { status: 'error' as const, 'aria-invalid': true as const } : {}),
        ...(described ? { 'aria-describedby': described } : {}),
      })}
      {aside && <span className={styles['aside']}>{aside}</span>}
      {hint && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  )
}
