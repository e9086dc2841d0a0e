import { newSigningKey, showSigningKey } from '@parley/contracts/platform/signing-keys'
import { Button } from 'antd'
import type { Control, FieldPathByValue, FieldValues, PathValue, UseFormSetValue } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import styles from './webhooks.module.css'

/** The secret of the signature: typed, generated, or left to Parley. */
export function SecretField<F extends FieldValues>({
  control,
  setValue,
  name,
  label = 'Secret',
}: {
  control: Control<F>
  setValue: UseFormSetValue<F>
  name: FieldPathByValue<F, string | undefined>
  label?: string
}) {
  const generate = () =>
    setValue(name, showSigningKey(newSigningKey()) as PathValue<F, typeof name>, {
      shouldDirty: true,
      shouldValidate: true,
    })
  return (
    <Field
      control={control}
      name={name}
      label={label}
      optional
      hint="Signs every delivery with HMAC-SHA256, so that your server can check that it comes from Parley. Leave it empty to have one made."
    >
      {(field) => (
        <span className={styles['secret']}>
          <SecretInput {...field} what="secret" autoComplete="off" maxLength={256} />
          <Button onClick={generate}>Generate</Button>
        </span>
      )}
    </Field>
  )
}
