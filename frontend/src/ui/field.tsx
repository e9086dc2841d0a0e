import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { type ReactNode, useId } from 'react'
import {
  type Control,
  type ControllerRenderProps,
  type FieldPath,
  type FieldValues,
  useController,
} from 'react-hook-form'
import styles from './field.module.css'

/** Props of the control inside a field: spread them over antd's Input, Select and the like. */
export interface FieldControl<T extends FieldValues, N extends FieldPath<T>> extends ControllerRenderProps<T, N> {
  id: string
  status?: 'error'
  'aria-invalid'?: true
  'aria-describedby'?: string
}

export interface FieldProps<T extends FieldValues, N extends FieldPath<T>> {
  control: Control<T>
  name: N
  label: string
  hint?: string
  optional?: boolean
  /** A link about this field. It stands right of the label, but Tab reaches the control first. */
  aside?: ReactNode
  /** Warning about the value; an error takes its place. */
  warning?: string | undefined
  children: (props: FieldControl<T, N>) => ReactNode
}

/** One labelled control of a react-hook-form form; its error stands below it and is read with it. */
export function Field<T extends FieldValues, N extends FieldPath<T>>({
  control,
  name,
  label,
  hint,
  optional = false,
  aside,
  warning,
  children,
}: FieldProps<T, N>) {
  const id = useId()
  const { field, fieldState } = useController({ control, name })
  const error = fieldState.error?.message
  const doubt = error ? undefined : warning
  const described = [error && `${id}-error`, doubt && `${id}-warning`, hint && `${id}-hint`].filter(Boolean).join(' ')
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
      {doubt && (
        <p id={`${id}-warning`} className={styles['warning']}>
          <WarningOutlined aria-hidden />
          {doubt}
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
