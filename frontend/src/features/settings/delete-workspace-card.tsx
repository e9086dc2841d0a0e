import { authApi, passwordMaxLength } from '@parley/contracts/account/auth'
import { maxWorkspaceName } from '@parley/contracts/account/workspace'
import { restoreDays, workspaceDeletionApi } from '@parley/contracts/account/workspace-deletion'
import { dayOf } from '@parley/contracts/core/english-format'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { useChange } from '../../lib/use-change.ts'
import { useIdentity, useUser } from '../../lib/user.ts'
import { beginAnew } from '../../lib/workspace.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

const empty = { name: '', password: '' }

/** Deletes the workspace after its name and the password were typed; of one that is closed already, erases it at once. For owners. */
export function DeleteWorkspaceCard() {
  const user = useUser().data
  const [open, setOpen] = useState(false)
  if (user?.role !== 'owner') return null
  const isClosed = user.closesAt !== undefined
  return (
    <SettingsCard
      title="Delete Workspace"
      lead={
        isClosed
          ? `It will be erased on ${dayOf(user.closesAt ?? '')}. Until then you can restore it, at the top of each screen.`
          : `Everything of this business: numbers, contacts, conversations, campaigns, bots, files, keys and members. It stands still for ${restoreDays} days, in which an owner can restore it, and is then erased for good.`
      }
    >
      <div className={styles['buttons']}>
        <Button danger onClick={() => setOpen(true)}>
          {isClosed ? 'Erase Now' : 'Delete Workspace'}
        </Button>
      </div>
      <DeletionDialog open={open} name={user.workspaceName} isClosed={isClosed} onClose={() => setOpen(false)} />
    </SettingsCard>
  )
}

function DeletionDialog({
  open,
  name,
  isClosed,
  onClose,
}: {
  open: boolean
  name: string
  isClosed: boolean
  onClose: () => void
}) {
  const isElsewhere = useIdentity()?.provider !== 'password'
  const { control, handleSubmit, setError, reset } = useForm({ defaultValues: empty })
  const remove = useChange({
    run: async ({ name: typed, password }: typeof empty, intent) => {
      if (!isElsewhere) await call(authApi.confirm, { body: { password } })
      const body = { name: typed }
      if (isClosed) await call(workspaceDeletionApi.eraseNow, { body, ...intent })
      else await call(workspaceDeletionApi.begin, { body, ...intent })
    },
    onSuccess: () => {
      if (!isClosed) return beginAnew()
      onClose()
      toast.success('The workspace is being erased.')
    },
    onError: (error) => {
      const message = explain(error, 'The workspace could not be deleted. Try again.')
      if (error instanceof ApiError && error.body.code === 'password_wrong')
        return setError('password', { message }, { shouldFocus: true })
      if (!showFieldProblems(error, { name: 'name' }, setError)) toast.error(message)
    },
  })
  const submit = handleSubmit(({ name: typed, password }) => {
    if (typed.trim() !== name.trim())
      return setError('name', { message: 'Type the name as it is shown.' }, { shouldFocus: true })
    if (!isElsewhere && password === '')
      return setError('password', { message: 'Enter your password.' }, { shouldFocus: true })
    remove.mutate({ name: typed, password })
  })
  return (
    <FormDialog
      open={open}
      danger
      title={isClosed ? `Erase ${name} now?` : `Delete ${name}?`}
      lead={
        isClosed
          ? 'Nobody can restore it afterwards.'
          : `Nothing is sent any more, API keys are refused, and the other members are told by email and shut out. You can restore it for ${restoreDays} days.`
      }
      submitLabel={isClosed ? 'Erase Now' : 'Delete Workspace'}
      pending={remove.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset(empty)}
    >
      <Field control={control} name="name" label={`Type ${name} to confirm`}>
        {(field) => <Input {...field} autoComplete="off" maxLength={maxWorkspaceName} dir="auto" />}
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
  )
}
