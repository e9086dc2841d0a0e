import { authApi, passwordMaxLength } from '@parley/contracts/account/auth'
import { Input, type InputProps } from 'antd'
import { useForm } from 'react-hook-form'
import { ApiError, call } from '../lib/api.ts'
import { explain } from '../lib/explain.ts'
import { showFieldProblems } from '../lib/form-problems.ts'
import { type Intent, useChange } from '../lib/use-change.ts'
import { useIdentity } from '../lib/user.ts'
import { FormDialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { SecretInput } from './secret-input.tsx'
import { toast } from './toast.ts'

const empty = { typed: '', password: '' }

/** Deletes what nobody can bring back by a button, once its name and, where there is one, the person's password were typed. */
export function DeletionDialog({
  open,
  title,
  lead,
  submitLabel,
  typed: { field, name, isSame, wrong, input },
  remove,
  onRemoved,
  onRefused,
  failure,
  onClose,
}: {
  open: boolean
  title: string
  lead: string
  submitLabel: string
  typed: {
    /** Field of the request that carries it. */
    readonly field: string
    readonly name: string
    readonly isSame: (typed: string) => boolean
    /** Problem shown where it is not the same. */
    readonly wrong: string
    readonly input: InputProps
  }
  remove: (typed: string, intent: Intent) => Promise<unknown>
  onRemoved: () => unknown
  /** Returns what to say of a refusal that needs other words. */
  onRefused?: (error: ApiError) => string | undefined
  failure: string
  onClose: () => void
}) {
  const isElsewhere = useIdentity()?.provider !== 'password'
  const { control, handleSubmit, setError, reset } = useForm({ defaultValues: empty })
  const change = useChange({
    run: async ({ typed, password }: typeof empty, intent) => {
      if (!isElsewhere) await call(authApi.confirm, { body: { password } })
      await remove(typed, intent)
    },
    onSuccess: onRemoved,
    onError: (error) => {
      const message = explain(error, failure)
      if (error instanceof ApiError && error.body.code === 'password_wrong')
        return setError('password', { message }, { shouldFocus: true })
      const told = error instanceof ApiError ? onRefused?.(error) : undefined
      if (told !== undefined) toast.error(told)
      else if (!showFieldProblems(error, { [field]: 'typed' }, setError)) toast.error(message)
    },
  })
  const submit = handleSubmit((values) => {
    if (!isSame(values.typed)) return setError('typed', { message: wrong }, { shouldFocus: true })
    if (!isElsewhere && values.password === '')
      return setError('password', { message: 'Enter your password.' }, { shouldFocus: true })
    change.mutate(values)
  })
  return (
    <FormDialog
      open={open}
      danger
      title={title}
      lead={lead}
      submitLabel={submitLabel}
      pending={change.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset(empty)}
    >
      <Field control={control} name="typed" label={`Type ${name} to confirm`}>
        {(props) => <Input {...props} {...input} autoComplete="off" />}
      </Field>
      {!isElsewhere && (
        <Field control={control} name="password" label="Your Password">
          {(props) => (
            <SecretInput
              {...props}
              what="your password"
              autoComplete="current-password"
              maxLength={passwordMaxLength}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
