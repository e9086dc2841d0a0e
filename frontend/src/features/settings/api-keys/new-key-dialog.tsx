import { zodResolver } from '@hookform/resolvers/zod'
import { type IssuedKey, type KeyScope, keyDays } from '@parley/contracts/account/api-keys'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Input, Select } from 'antd'
import { useId } from 'react'
import { type Control, useController, useForm } from 'react-hook-form'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { explain } from '../../../lib/explain.ts'
import { showFieldProblems } from '../../../lib/form-problems.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from './api-keys.module.css'
import { useCreateKey } from './api-keys-api.ts'
import { actionLabel, emptyKey, type KeyForm, keyFormSchema, keyOf, scopeGroups } from './key-form.ts'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly onIssued: (issued: IssuedKey) => void
}

const fields = { name: 'name', scopes: 'scopes', numbers: 'numbers', networks: 'networks' } as const

/** The Create API Key form. */
export function NewKeyDialog(props: Props) {
  const opening = useOpening(props.open)
  return <KeyDialog key={opening} {...props} />
}

function KeyDialog({ open, onClose, onIssued }: Props) {
  const { control, handleSubmit, setError, formState } = useForm<KeyForm>({
    resolver: zodResolver(keyFormSchema),
    defaultValues: emptyKey,
  })
  const create = useCreateKey()
  const numbers = useQuery({ ...numberChoices(), enabled: open }).data ?? []
  const submit = handleSubmit(async (values) => {
    try {
      onIssued(await create.mutateAsync(keyOf(values)))
      onClose()
    } catch (error) {
      if (!showFieldProblems(error, fields, setError))
        toast.error(explain(error, 'The key could not be made. What you typed is kept. Try again.'))
    }
  })
  return (
    <FormDialog
      open={open}
      width={600}
      title="Create API Key"
      submitLabel="Create Key"
      pending={formState.isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
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
      <Field control={control} name="expiresInDays" label="Valid for">
        {(field) => <Select {...field} options={keyDays.map((days) => ({ value: days, label: `${days} days` }))} />}
      </Field>
    </FormDialog>
  )
}

function ScopeFields({ control }: { control: Control<KeyForm> }) {
  const id = useId()
  const { field, fieldState } = useController({ control, name: 'scopes' })
  const chosen: readonly KeyScope[] = field.value
  const change = (scope: KeyScope, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope))
  const error = fieldState.error?.message
  return (
    <fieldset className={styles['scopeFields']} {...(error && { 'aria-describedby': id })}>
      <legend>Scopes</legend>
      {scopeGroups.map(({ label, scopes }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read with both legends each time.
        <div key={label} role="group" aria-label={label} className={styles['scopeRow']}>
          <span>{label}</span>
          <div className={styles['scopeBoxes']}>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                checked={chosen.includes(scope)}
                onChange={({ target }) => change(scope, target.checked)}
                aria-label={`${label}: ${actionLabel(scope)}`}
              >
                {actionLabel(scope)}
              </Checkbox>
            ))}
          </div>
        </div>
      ))}
      {error && (
        <p id={id} className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
