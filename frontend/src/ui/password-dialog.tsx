import { passwordMaxLength } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
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

const signInAgain = 'Sign out and in again, then do this within ten minutes.'

/** A password that is kept by a page elsewhere cannot be checked here: a recent sign-in there counts in its place. */
function unlessElsewhere(error: unknown): void {
  if (!(error instanceof ApiError && error.body.code === 'wrong_state')) throw error
}

/** Does what a stranger at an unlocked screen must not do, once the person's password, where there is one, and a name were typed. */
export function PasswordDialog<O>({
  open,
  danger = false,
  title,
  lead,
  submitLabel,
  typed,
  run,
  onDone,
  onSettled,
  failure,
  onClose,
}: {
  open: boolean
  danger?: boolean
  title: string
  lead: string
  submitLabel: string
  /** Text that is typed beside the password. */
  typed?: {
    /** Field of the request that carries it. */
    readonly field: string
    readonly name: string
    readonly isSame: (typed: string) => boolean
    /** Problem shown where it is not the same. */
    readonly wrong: string
    readonly input: InputProps
  }
  run: (typed: string, intent: Intent) => Promise<O>
  onDone: (output: O) => unknown
  onSettled?: () => unknown
  failure: string
  onClose: () => void
}) {
  const isAsked = useIdentity()?.provider === 'password'
  const { control, handleSubmit, setError, reset } = useForm({ defaultValues: empty })
  const change = useChange({
    run: async ({ typed, password }: typeof empty, intent) => {
      if (isAsked) await call(authApi.confirm, { body: { password } }).catch(unlessElsewhere)
      return run(typed, intent)
    },
    onSuccess: onDone,
    ...(onSettled && { onSettled }),
    onError: (error) => {
      const code = error instanceof ApiError ? error.body.code : undefined
      const message = code === 'confirmation_required' ? signInAgain : explain(error, failure)
      if (code === 'password_wrong') setError('password', { message }, { shouldFocus: true })
      else if (!typed || !showFieldProblems(error, { [typed.field]: 'typed' }, setError)) toast.error(message)
    },
  })
  const submit = handleSubmit((values) => {
    if (typed && !typed.isSame(values.typed)) return setError('typed', { message: typed.wrong }, { shouldFocus: true })
    if (isAsked && values.password === '')
      return setError('password', { message: 'Enter your password.' }, { shouldFocus: true })
    change.mutate(values)
  })
  return (
    <FormDialog
      open={open}
      danger={danger}
      title={title}
      lead={lead}
      submitLabel={submitLabel}
      pending={change.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset(empty)}
    >
      {typed && (
        <Field control={control} name="typed" label={`Type ${typed.name} to confirm`}>
          {(props) => <Input {...props} {...typed.input} autoComplete="off" />}
        </Field>
      )}
      {isAsked && (
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
