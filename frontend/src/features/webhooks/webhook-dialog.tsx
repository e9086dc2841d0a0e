import { zodResolver } from '@hookform/resolvers/zod'
import type { NewWebhook, Webhook } from '@parley/contracts/webhooks'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { problemText, showFieldProblems } from '../../lib/form-problems.ts'
import { useLast } from '../../lib/use-last.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { toast } from '../../ui/toast.ts'
import { useCreateWebhook, useUpdateWebhook } from './api.ts'
import { EventFields } from './event-fields.tsx'
import { SecretField } from './secret-field.tsx'
import { rememberSecret } from './typed-secrets.ts'
import { emptyWebhook, formOf, type WebhookForm, webhookFormSchema, webhookOf } from './webhook-form.ts'

/** The Create New Webhook form (specification section 2, Webhooks). */
export function NewWebhookDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useCreateWebhook()
  return (
    <WebhookDialog
      open={open}
      parameter="new"
      title="Create New Webhook"
      submitLabel="Create Webhook"
      initial={emptyWebhook}
      save={(body) => create.mutateAsync(body)}
      done={(name) => `${name} is created.`}
      onClose={onClose}
    />
  )
}

/** The same form over a webhook that exists; `webhook` is absent while it is closed. */
export function ConfigureDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const shown = useLast(webhook)
  const update = useUpdateWebhook()
  if (!shown) return null
  const { id, version, name, secret } = shown
  return (
    <WebhookDialog
      key={id}
      open={webhook !== undefined}
      parameter="configure"
      title={`Configure ${name}`}
      submitLabel="Save Changes"
      initial={formOf(shown)}
      stored={secret.set ? secret.last4 : undefined}
      save={(body) => update.mutateAsync({ params: { id }, body: { ...body, version } })}
      done={(saved) => `${saved} is saved.`}
      onClose={onClose}
    />
  )
}

interface Props {
  readonly open: boolean
  readonly parameter: string
  readonly title: string
  readonly submitLabel: string
  readonly initial: WebhookForm
  /** End of the secret that is stored. */
  readonly stored?: string | undefined
  readonly save: (body: NewWebhook) => Promise<Webhook>
  readonly done: (name: string) => string
  readonly onClose: () => void
}

const fields = { name: 'name', url: 'url', events: 'events', secret: 'secret' } as const

function WebhookDialog({ open, parameter, title, submitLabel, initial, stored, save, done, onClose }: Props) {
  const form = useForm<WebhookForm>({
    resolver: zodResolver(webhookFormSchema),
    values: initial,
    // What is typed stays when the webhook is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { control, handleSubmit, setError, reset, formState } = form
  const submit = handleSubmit(async (values) => {
    try {
      const body = webhookOf(values)
      const { id, name } = await save(body)
      if (body.secret !== undefined) rememberSecret(id, body.secret)
      onClose()
      toast.success(done(name))
    } catch (error) {
      if (!showFieldProblems(error, fields, setError))
        toast.error(problemText(error, 'The webhook could not be saved. What you typed is kept. Try again.'))
    }
  })
  return (
    <>
      <FormDialog
        open={open}
        width={560}
        title={title}
        submitLabel={submitLabel}
        pending={formState.isSubmitting}
        onSubmit={submit}
        onClose={onClose}
        onClosed={() => reset(initial)}
      >
        <Field control={control} name="name" label="Name">
          {(field) => <Input {...field} autoComplete="off" maxLength={80} dir="auto" />}
        </Field>
        <Field control={control} name="url" label="URL" hint="Must start with https:// or point to this machine.">
          {(field) => (
            <Input
              {...field}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              maxLength={2000}
              placeholder="https://example.com/webhooks/parley"
            />
          )}
        </Field>
        <EventFields control={control} />
        <SecretField form={form} stored={stored} />
      </FormDialog>
      {open && (
        <LeaveWarning active={formState.isDirty && !formState.isSubmitting} what="this webhook" parameter={parameter} />
      )}
    </>
  )
}
