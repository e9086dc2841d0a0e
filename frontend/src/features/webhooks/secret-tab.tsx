import { zodResolver } from '@hookform/resolvers/zod'
import { overlapHours, typedSecretSchema, type Webhook } from '@parley/contracts/platform/webhooks'
import { Button, Radio } from 'antd'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { useMay } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { useClock } from '../../lib/use-clock.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'
import { useRotateSecret } from './api.ts'
import { SecretField } from './secret-field.tsx'
import { VerifySnippets } from './verify-snippets.tsx'
import type { NewKey } from './webhook-dialog.tsx'
import styles from './webhooks.module.css'

const schema = z.object({ overlapHours: z.literal(overlapHours), secret: typedSecretSchema })
const overlapLabels = { 0: 'Stop at once', 1: '1 hour', 24: '1 day', 168: '7 days' } as const

/** The signing key of a webhook: which it is, how it is replaced, how a receiver checks by it. */
export function SecretTab({ webhook, onKey }: { webhook: Webhook; onKey: (made: NewKey) => void }) {
  const { secret } = webhook
  const { now, timeZone } = useClock(0)
  const may = useMay('webhooks:secret')
  return (
    <div className={styles['test']}>
      <p>
        Every delivery is signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> describes. The key
        ends in <code>{secret.last4}</code> and was set{' '}
        <Timestamp at={secret.updatedAt} now={now} timeZone={timeZone} />.
      </p>
      {secret.previousUntil && (
        <p role="status">
          The key before signs as well until <Timestamp at={secret.previousUntil} now={now} timeZone={timeZone} />.
        </p>
      )}
      {may && !webhook.sample && <RotateForm webhook={webhook} onKey={onKey} />}
      <VerifySnippets />
    </div>
  )
}

function RotateForm({ webhook, onKey }: { webhook: Webhook; onKey: (made: NewKey) => void }) {
  const rotate = useRotateSecret()
  const { control, handleSubmit, setError, setValue, reset, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { overlapHours: 24, secret: '' },
  })
  const submit = handleSubmit(async ({ overlapHours: hours, secret }) => {
    try {
      const body = { overlapHours: hours, ...(secret !== '' && { secret }) }
      onKey(await rotate.mutateAsync({ params: { id: webhook.id }, body }))
      reset()
    } catch (error) {
      if (!showFieldProblems(error, { secret: 'secret' }, setError))
        toast.error(explain(error, 'The key could not be replaced. The one before goes on signing. Try again.'))
    }
  })
  return (
    <form noValidate className={styles['test']} onSubmit={(event) => void submit(event)}>
      <SecretField control={control} setValue={setValue} name="secret" label="New secret" />
      <fieldset className={styles['choice']}>
        <legend>The key before signs as well for</legend>
        <Controller
          control={control}
          name="overlapHours"
          render={({ field: { value, onChange } }) => (
            <Radio.Group
              value={value}
              onChange={onChange}
              options={overlapHours.map((hours) => ({ value: hours, label: overlapLabels[hours] }))}
            />
          )}
        />
      </fieldset>
      <div>
        <Button htmlType="submit" loading={formState.isSubmitting}>
          Replace Key
        </Button>
      </div>
    </form>
  )
}
