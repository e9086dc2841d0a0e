import { useEffect } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { Field, type FieldControl } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** The address of a sign-in form, for password managers and phone keyboards too. It comes first and takes the focus. */
export function EmailField<T extends FieldValues>({
  control,
  name,
  fixed = false,
}: {
  control: Control<T>
  name: FieldPath<T>
  /** Set where it is the address of an invitation, and no other. */
  fixed?: boolean
}) {
  return (
    <Field control={control} name={name} label="Email">
      {(field) =>
        fixed ? <TextInput {...field} large type="email" autoComplete="username" readOnly /> : <EmailInput {...field} />
      }
    </Field>
  )
}

function EmailInput<T extends FieldValues>(field: FieldControl<T, FieldPath<T>>) {
  const { id } = field
  useEffect(() => {
    // On a touch screen the keyboard would cover half of a page that has not been read yet.
    if (window.matchMedia('(pointer: fine)').matches) document.getElementById(id)?.focus({ preventScroll: true })
  }, [id])
  return (
    <TextInput
      {...field}
      large
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
    />
  )
}
