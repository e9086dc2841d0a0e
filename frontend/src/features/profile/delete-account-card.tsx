import { authApi, passwordMaxLength } from '@parley/contracts/account/auth'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, call } from '../../lib/api.ts'
import { endSessionLocally } from '../../lib/auth/session.ts'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { useChange } from '../../lib/use-change.ts'
import { useIdentity } from '../../lib/user.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './sessions/sessions-card.module.css'

const empty = { email: '', password: '' }

/** Deletes the person's account, once its address and the password were typed. */
export function DeleteAccountCard({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  const isElsewhere = useIdentity()?.provider !== 'password'
  const { control, handleSubmit, setError, reset } = useForm({ defaultValues: empty })
  const remove = useChange({
    run: async ({ email: typed, password }: typeof empty, intent) => {
      if (!isElsewhere) await call(authApi.confirm, { body: { password } })
      await call(authApi.deleteAccount, { body: { email: typed }, ...intent })
    },
    onSuccess: () => endSessionLocally(),
    onError: (error) => {
      const message = explain(error, 'Your account could not be deleted. Try again.')
      if (error instanceof ApiError && error.body.code === 'password_wrong')
        return setError('password', { message }, { shouldFocus: true })
      if (error instanceof ApiError && error.body.code === 'confirmation_required')
        return toast.error('Sign out and in again, then delete your account within ten minutes.')
      if (!showFieldProblems(error, { email: 'email' }, setError)) toast.error(message)
    },
  })
  const submit = handleSubmit((values) => {
    if (values.email.trim().toLowerCase() !== email.toLowerCase())
      return setError('email', { message: 'Type the address as it is shown.' }, { shouldFocus: true })
    if (!isElsewhere && values.password === '')
      return setError('password', { message: 'Enter your password.' }, { shouldFocus: true })
    remove.mutate(values)
  })
  return (
    <section className={styles['card']} aria-labelledby="delete-account-title">
      <div className={styles['head']}>
        <div>
          <h2 id="delete-account-title">Delete account</h2>
          <p className={styles['lead']}>
            You leave every workspace, and a workspace that is yours alone is erased with you. This cannot be undone.
          </p>
        </div>
        <Button danger onClick={() => setOpen(true)}>
          Delete Account
        </Button>
      </div>
      <FormDialog
        open={open}
        danger
        title="Delete your account?"
        lead="You are signed out everywhere, and nothing of you is kept but your part in what others see: messages that you have sent stay in their conversations."
        submitLabel="Delete Account"
        pending={remove.isPending}
        onSubmit={(event) => void submit(event)}
        onClose={() => setOpen(false)}
        onClosed={() => reset(empty)}
      >
        <Field control={control} name="email" label={`Type ${email} to confirm`}>
          {(field) => <Input {...field} type="email" autoComplete="off" maxLength={254} />}
        </Field>
        {!isElsewhere && (
          <Field control={control} name="password" label="Your Password">
            {(field) => (
              <SecretInput
                {...field}
                what="your password"
                autoComplete="current-password"
                maxLength={passwordMaxLength}
              />
            )}
          </Field>
        )}
      </FormDialog>
    </section>
  )
}
