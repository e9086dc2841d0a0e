import { zodResolver } from '@hookform/resolvers/zod'
import { type Connection, connectionsApi, newConnectionSchema } from '@parley/contracts/automation/connections'
import { headerNameSchema } from '@parley/contracts/automation/http-request'
import { Input, Select } from 'antd'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { explain } from '../../../lib/explain.ts'
import { showFieldProblems } from '../../../lib/form-problems.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useConflict } from '../../../lib/use-conflict.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useCreateConnection, useUpdateConnection } from './connections-api.ts'

const { name, baseUrl } = newConnectionSchema.shape
const formSchema = z
  .object({
    name,
    baseUrl,
    kind: z.enum(['none', 'bearer', 'basic', 'header']),
    username: z.string().max(200),
    header: z.string().max(64),
    secret: z.string().max(4000),
    repeatable: z.boolean(),
  })
  .superRefine(({ kind, username, header }, context) => {
    if (kind === 'basic' && username === '')
      context.addIssue({ code: 'custom', path: ['username'], message: 'Enter the user name' })
    const named = headerNameSchema.safeParse(header)
    if (kind === 'header' && !named.success)
      context.addIssue({ code: 'custom', path: ['header'], message: named.error.issues[0]?.message ?? '' })
  })
type ConnectionForm = z.infer<typeof formSchema>

const fields = {
  name: 'name',
  baseUrl: 'baseUrl',
  'authentication.secret': 'secret',
  'authentication.username': 'username',
  'authentication.header': 'header',
} as const
const labels = { name: 'Name', baseUrl: 'Base address', kind: 'Authentication', repeatable: 'Repeated calls' } as const
export const authenticationNames = {
  none: 'None',
  bearer: 'Bearer token',
  basic: 'User name and password',
  header: 'A header with a key',
} as const

function valuesOf(connection: Connection | undefined): ConnectionForm {
  const { authentication } = connection ?? {}
  return {
    name: connection?.name ?? '',
    baseUrl: connection?.baseUrl ?? '',
    kind: authentication?.kind ?? 'none',
    username: authentication?.kind === 'basic' ? authentication.username : '',
    header: authentication?.kind === 'header' ? authentication.header : '',
    secret: '',
    repeatable: connection?.repeatable ?? false,
  }
}

function authenticationOf({ kind, username, header, secret }: ConnectionForm) {
  switch (kind) {
    case 'none':
      return { kind }
    case 'bearer':
      return { kind, secret }
    case 'basic':
      return { kind, username, secret }
    case 'header':
      return { kind, header, secret }
  }
}

/** A secret that is left empty stays as it is. */
function changedAuthentication(values: ConnectionForm) {
  const { secret, ...shown } = { secret: '', ...authenticationOf(values) }
  return secret === '' ? shown : { ...shown, secret }
}

/** Adds a connection, or changes one. */
export function ConnectionDialog({
  open,
  connection,
  onClose,
}: {
  readonly open: boolean
  /** Absent for a new one. */
  readonly connection: Connection | undefined
  readonly onClose: () => void
}) {
  const opening = useOpening(open)
  const shown = useLast(connection)
  return <Dialog key={opening} open={open} connection={open ? connection : shown} onClose={onClose} />
}

function Dialog({ open, connection, onClose }: Parameters<typeof ConnectionDialog>[0]) {
  const form = useForm<ConnectionForm>({ resolver: zodResolver(formSchema), defaultValues: valuesOf(connection) })
  const { control, handleSubmit, setError, formState } = form
  const conflict = useConflict({ form, record: connection, valuesOf, labels })
  const kind = useWatch({ control, name: 'kind' })
  const create = useCreateConnection()
  const update = useUpdateConnection()
  const submit = handleSubmit(async (values) => {
    const common = { name: values.name, baseUrl: values.baseUrl, repeatable: values.repeatable }
    try {
      if (connection) {
        const { version } = conflict.seen ?? connection
        const authentication = changedAuthentication(values)
        await update.mutateAsync({ id: connection.id, ...common, authentication, version })
      } else await create.mutateAsync({ ...common, authentication: authenticationOf(values) })
      toast.success(`${values.name} is saved.`)
      onClose()
    } catch (error) {
      const current = staleRecord(error, connectionsApi.update)
      if (current) conflict.merge(current)
      else if (!showFieldProblems(error, fields, setError))
        toast.error(explain(error, 'The connection could not be saved. What you typed is kept. Try again.'))
    }
  })
  return (
    <FormDialog
      open={open}
      width={600}
      title={connection ? `Edit ${connection.name}` : 'Create Connection'}
      submitLabel={connection ? 'Save Changes' : 'Create Connection'}
      pending={formState.isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <ConflictNotice what="connection" conflict={conflict} />
      <Field control={control} name="name" label="Name">
        {(field) => <Input {...field} autoComplete="off" maxLength={80} dir="auto" />}
      </Field>
      <Field
        control={control}
        name="baseUrl"
        label="Base address"
        hint="Host, and perhaps the path that all calls begin with. Steps add the rest."
      >
        {(field) => <Input {...field} autoComplete="off" maxLength={500} placeholder="https://api.example.com/v1" />}
      </Field>
      <Field control={control} name="kind" label="Authentication">
        {(field) => (
          <Select
            {...field}
            options={Object.entries(authenticationNames).map(([value, label]) => ({ value, label }))}
          />
        )}
      </Field>
      {kind === 'basic' && (
        <Field control={control} name="username" label="User name">
          {(field) => <Input {...field} autoComplete="off" maxLength={200} />}
        </Field>
      )}
      {kind === 'header' && (
        <Field control={control} name="header" label="Header">
          {(field) => <Input {...field} autoComplete="off" maxLength={64} placeholder="X-Api-Key" />}
        </Field>
      )}
      {kind !== 'none' && (
        <Field
          control={control}
          name="secret"
          label={kind === 'basic' ? 'Password' : kind === 'bearer' ? 'Token' : 'Key'}
          hint={
            connection && connection.authentication.kind === kind
              ? 'Leave it empty to keep the one that is stored. Another host needs it again.'
              : 'It is encrypted, and never shown again.'
          }
        >
          {(field) => <SecretInput {...field} what="secret" autoComplete="new-password" maxLength={4000} />}
        </Field>
      )}
      <SwitchField
        control={control}
        name="repeatable"
        label="Calls may be repeated"
        hint="The other system does a call with the same Idempotency-Key once. Without it, a change whose answer is lost is never repeated."
      />
    </FormDialog>
  )
}
