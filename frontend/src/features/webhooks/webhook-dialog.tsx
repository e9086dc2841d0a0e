import { zodResolver } from '@hookform/resolvers/zod'
import { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useConflict } from '../../lib/use-conflict.ts'
import { useLast } from '../../lib/use-last.ts'
import { useOpening } from '../../lib/use-opening.ts'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { toast } from '../../ui/toast.ts'
import { useCreateWebhook, useUpdateWebhook } from './api.ts'
import { EventFields } from './event-fields.tsx'
import { SecretField } from './secret-field.tsx'
import { emptyWebhook, formOf, type WebhookForm, webhookFormSchema } from './webhook-form.ts'

/** A webhook with its signing key, which no later answer shows. */
export interface NewKey {
  readonly name: string
  readonly signingKey: string
}

/** The Create New Webhook form. @param onKey is given the key once it is created. */
export function NewWebhookDialog({
  open,
  onClose,
  onKey,
}: {
  open: boolean
  onClose: () => void
  onKey: (made: NewKey) => void
}) {
  const create = useCreateWebhook()
  const opening = useOpening(open)
  return (
    <WebhookDialog
      key={opening}
      open={open}
      parameter="new"
      title="Create New Webhook"
      submitLabel="Create Webhook"
      save={async ({ secret, ...body }) => onKey(await create.mutateAsync(secret === '' ? body : { ...body, secret }))}
      done={(name) => `${name} is created.`}
      onClose={onClose}
    />
  )
}

/** The same form over a webhook that exists, without its secret; `webhook` is absent while it is closed. */
export function ConfigureDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const shown = useLast(webhook)
  const update = useUpdateWebhook()
  const opening = useOpening(webhook !== undefined)
  if (!shown) return null
  const { id, name } = shown
  return (
    <WebhookDialog
      key={`${id} ${opening}`}
      open={webhook !== undefined}
      parameter="configure"
      title={`Configure ${name}`}
      submitLabel="Save Changes"
      webhook={shown}
      save={({ secret: _secret, ...body }, of = shown) =>
        update.mutateAsync({ params: { id }, body: { ...body, version: of.version } })
      }
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
  /** Absent for a new one. */
  readonly webhook?: Webhook
  /** @param of the version that the form has open. */
  readonly save: (form: WebhookForm, of: Webhook | undefined) => Promise<unknown>
  readonly done: (name: string) => string
  readonly onClose: () => void
}

const valuesOf = (webhook: Webhook | undefined): WebhookForm => (webhook ? formOf(webhook) : emptyWebhook)
const labels = { name: 'Name', url: 'URL', events: 'Events' } as const
const fields = { name: 'name', url: 'url', events: 'events', secret: 'secret' } as const

function WebhookDialog({ open, parameter, title, submitLabel, webhook, save, done, onClose }: Props) {
  const form = useForm<WebhookForm>({ resolver: zodResolver(webhookFormSchema), defaultValues: valuesOf(webhook) })
  const { control, handleSubmit, setError, setValue, formState } = form
  const conflict = useConflict({ form, record: webhook, valuesOf, labels })
  const submit = handleSubmit(async (values) => {
    try {
      await save(values, conflict.seen)
      onClose()
      toast.success(done(values.name))
    } catch (error) {
      const current = staleRecord(error, webhooksApi.update)
      if (current) conflict.merge(current)
      else if (!showFieldProblems(error, fields, setError))
        toast.error(explain(error, 'The webhook could not be saved. What you typed is kept. Try again.'))
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
      >
        <ConflictNotice what="webhook" conflict={conflict} />
        <Field control={control} name="name" label="Name">
          {(field) => <Input {...field} autoComplete="off" maxLength={80} dir="auto" />}
        </Field>
        <Field
          control={control}
          name="url"
          label="URL"
          hint="Must start with https:// and be reachable from the internet."
        >
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
        {!webhook && <SecretField control={control} setValue={setValue} name="secret" />}
      </FormDialog>
      {open && (
        <LeaveWarning active={formState.isDirty && !formState.isSubmitting} what="this webhook" parameter={parameter} />
      )}
    </>
  )
}
