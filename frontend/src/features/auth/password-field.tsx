import { passwordMaxLength } from '@parley/contracts/account/auth'
import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'

/** A password with a switch that shows it. `current` for signing in, `new` for choosing one. */
export function PasswordField<T extends FieldValues>({
  control,
  name,
  label,
  kind,
  hint,
  aside,
  onCheck,
}: {
  control: Control<T>
  name: FieldPath<T>
  label: string
  kind: 'current' | 'new'
  hint?: string
  aside?: ReactNode
  /** Checks what was typed when the person leaves the field, and while it is being mended. */
  onCheck?: () => void
}) {
  return (
    <Field control={control} name={name} label={label} {...(hint ? { hint } : {})} aside={aside}>
      {(field) => (
        <SecretInput
          {...field}
          large
          autoComplete={`${kind}-password`}
          maxLength={passwordMaxLength}
          onBlur={() => {
            field.onBlur()
            if (field.value !== '') onCheck?.()
          }}
          onChange={(event) => {
            field.onChange(event)
            if (field.status === 'error') onCheck?.()
          }}
        />
      )}
    </Field>
  )
}
