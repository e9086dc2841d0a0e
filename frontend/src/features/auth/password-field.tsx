import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import { passwordMaxLength } from '@parley/contracts/auth'
import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import styles from './password-field.module.css'

/** A password with a switch that shows it. `current` for signing in, `new` for choosing one. */
export function PasswordField<T extends FieldValues>({
  control,
  name,
  label,
  kind,
  hint,
  aside,
}: {
  control: Control<T>
  name: FieldPath<T>
  label: string
  kind: 'current' | 'new'
  hint?: string
  aside?: ReactNode
}) {
  const [shown, setShown] = useState(false)
  return (
    <Field control={control} name={name} label={label} {...(hint ? { hint } : {})} aside={aside}>
      {(field) => (
        <Input
          {...field}
          size="large"
          type={shown ? 'text' : 'password'}
          autoComplete={`${kind}-password`}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={passwordMaxLength}
          suffix={
            <button
              type="button"
              className={styles['toggle']}
              aria-label={shown ? 'Hide typed text' : 'Show typed text'}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
            </button>
          }
        />
      )}
    </Field>
  )
}
