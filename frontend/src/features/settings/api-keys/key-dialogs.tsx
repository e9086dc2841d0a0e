import { zodResolver } from '@hookform/resolvers/zod'
import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { type ApiKey, type IssuedKey, keyDays } from '@parley/contracts/account/api-keys'
import { useQuery } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { explain } from '../../../lib/explain.ts'
import { showFieldProblems } from '../../../lib/form-problems.ts'
import { formatDay } from '../../../lib/format.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useConflict } from '../../../lib/use-conflict.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { useUser } from '../../../lib/user.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { explainNoKey, useCreateKey, useUpdateKey } from './api-keys-api.ts'
import { changeOf, emptyKey, formOf, type KeyForm, keyFormSchema, keyOf } from './key-form.ts'
import { ScopeFields } from './scope-fields.tsx'

const fields = {
  name: 'name',
  scopes: 'scopes',
  numbers: 'numbers',
  networks: 'networks',
  expiresInDays: 'validFor',
} as const
const labels = { name: 'Name', scopes: 'Scopes', numbers: 'Numbers', networks: 'Addresses' } as const

/** The Create API Key form. */
export function NewKeyDialog({
  open,
  onClose,
  onIssued,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly onIssued: (issued: IssuedKey) => void
}) {
  const opening = useOpening(open)
  const create = useCreateKey()
  return (
    <KeyDialog
      key={opening}
      open={open}
      title="Create API Key"
      submitLabel="Create Key"
      explainFailure={(error) => explainNoKey(error, 'The key could not be made. What you typed is kept. Try again.')}
      save={async (form) => onIssued(await create.mutateAsync(keyOf(form)))}
      onClose={onClose}
    />
  )
}

/** Changes what a key may do, from where, and until when. */
export function EditKeyDialog({
  apiKey,
  onClose,
}: {
  /** Absent while it is closed. */
  readonly apiKey: ApiKey | undefined
  readonly onClose: () => void
}) {
  const shown = useLast(apiKey)
  const opening = useOpening(apiKey !== undefined)
  const update = useUpdateKey()
  if (!shown) return null
  return (
    <KeyDialog
      key={`${shown.id} ${opening}`}
      open={apiKey !== undefined}
      title={`Edit ${shown.name}`}
      submitLabel="Save Changes"
      explainFailure={(error) => explain(error, 'The key could not be saved. What you typed is kept. Try again.')}
      apiKey={shown}
      save={async (form, { version } = shown) => {
        await update.mutateAsync({ id: shown.id, ...changeOf(form), version })
        toast.success(`${form.name} is saved.`)
      }}
      onClose={onClose}
    />
  )
}

interface Props {
  readonly open: boolean
  readonly title: string
  readonly submitLabel: string
  /** Returns what is shown where it could not be saved. */
  readonly explainFailure: (error: unknown) => string
  /** Absent for a new one. */
  readonly apiKey?: ApiKey
  /** @param of the version that the form has open. */
  readonly save: (form: KeyForm, of: ApiKey | undefined) => Promise<void>
  readonly onClose: () => void
}

const valuesOf = (apiKey: ApiKey | undefined): KeyForm => (apiKey ? formOf(apiKey) : emptyKey)

function KeyDialog({ open, title, submitLabel, explainFailure, apiKey, save, onClose }: Props) {
  const form = useForm<KeyForm>({ resolver: zodResolver(keyFormSchema), defaultValues: valuesOf(apiKey) })
  const { control, handleSubmit, setError, formState } = form
  const conflict = useConflict({ form, record: apiKey, valuesOf, labels })
  const numbers = useQuery({ ...numberChoices(), enabled: open }).data ?? []
  const submit = handleSubmit(async (values) => {
    try {
      await save(values, conflict.seen)
      onClose()
    } catch (error) {
      const current = staleRecord(error, apiKeysApi.update)
      if (current) conflict.merge(current)
      else if (!showFieldProblems(error, fields, setError)) toast.error(explainFailure(error))
    }
  })
  return (
    <FormDialog
      open={open}
      width={600}
      title={title}
      submitLabel={submitLabel}
      pending={formState.isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <ConflictNotice what="key" conflict={conflict} />
      <Field
        control={control}
        name="name"
        label="Name"
        hint="Which program uses it: you see this name beside what it does."
      >
        {(field) => <Input {...field} autoComplete="off" maxLength={80} dir="auto" />}
      </Field>
      <ScopeFields control={control} />
      <Field control={control} name="numbers" label="Numbers" optional hint="Conversations of these numbers only.">
        {(field) => (
          <Select
            {...field}
            mode="multiple"
            placeholder="All numbers"
            options={numbers.map(({ id, displayName, phoneNumber }) => ({
              value: id,
              label: `${displayName} (${phoneNumber})`,
            }))}
          />
        )}
      </Field>
      <Field
        control={control}
        name="networks"
        label="Addresses"
        optional
        hint="Addresses and networks from which it may be used, one on each line: 203.0.113.0/24."
      >
        {(field) => <Input.TextArea {...field} rows={2} placeholder="Anywhere" maxLength={1000} spellCheck={false} />}
      </Field>
      <EndField control={control} apiKey={apiKey} />
    </FormDialog>
  )
}

function EndField({ control, apiKey }: { control: Control<KeyForm>; apiKey: ApiKey | undefined }) {
  const isOwner = useUser().data?.role === 'owner'
  const chosen = useWatch({ control, name: 'validFor' })
  // The end of a key that was replaced is that of its overlap.
  if (apiKey && apiKey.replacedBy !== null) return null
  const kept =
    apiKey && (apiKey.expiresAt === null ? 'It never expires' : `Until ${formatDay(apiKey.expiresAt)}, as now`)
  const options = [
    ...(kept ? [{ value: 'keep', label: kept }] : []),
    ...keyDays.map((days) => ({ value: days, label: apiKey ? `${days} days from now` : `${days} days` })),
    ...(isOwner ? [{ value: 'never', label: 'Until it is revoked' }] : []),
  ]
  const never = 'This key never expires: whoever finds it can use it until somebody revokes it.'
  return (
    <Field
      control={control}
      name="validFor"
      label="Valid for"
      hint={chosen === 'never' ? never : 'Owners and admins are told a week and a day before it ends.'}
    >
      {(field) => <Select {...field} options={options} />}
    </Field>
  )
}
