import { Button, Radio } from 'antd'
import { type UseFormReturn, useController } from 'react-hook-form'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { newSecret } from './delivery.ts'
import type { WebhookForm } from './webhook-form.ts'
import styles from './webhooks.module.css'

/** The secret of the signature: typed or generated. One that is stored is never shown, only kept, replaced or removed. */
export function SecretField({ form, stored }: { form: UseFormReturn<WebhookForm>; stored: string | undefined }) {
  const { control, setValue, watch } = form
  const { field: choice } = useController({ control, name: 'secretChoice' })
  const secret = watch('secret')
  return (
    <>
      {stored !== undefined && (
        <fieldset className={styles['choice']}>
          <legend>Secret</legend>
          <Radio.Group
            value={choice.value}
            onChange={choice.onChange}
            options={[
              { value: 'keep', label: `Keep the one ending in ${stored}` },
              { value: 'replace', label: 'Replace it' },
              { value: 'remove', label: 'Remove it' },
            ]}
          />
        </fieldset>
      )}
      {choice.value === 'replace' && (
        <Field
          control={control}
          name="secret"
          label={stored === undefined ? 'Secret' : 'New secret'}
          optional={stored === undefined}
          hint="Signs every delivery with HMAC-SHA256, so that your server can check that it comes from Parley. Copy it now: it will not be shown again."
        >
          {(field) => (
            <span className={styles['secret']}>
              <SecretInput {...field} what="secret" autoComplete="off" maxLength={256} />
              {secret !== '' && <CopyButton what="secret" text={secret} />}
              <Button onClick={() => setValue('secret', newSecret(), { shouldDirty: true, shouldValidate: true })}>
                Generate
              </Button>
            </span>
          )}
        </Field>
      )}
      {choice.value === 'remove' && (
        <p className={styles['quiet']}>Deliveries will have no signature, so your server cannot verify them.</p>
      )}
    </>
  )
}
