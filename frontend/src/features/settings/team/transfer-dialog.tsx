import type { Member } from '@parley/contracts/account/members'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { toast } from '../../../ui/toast.ts'
import type { TeamChanges } from './team-api.ts'

const empty = { password: '' }

/** Hands the workspace over, once the person has typed their password again. */
export function TransferDialog({
  open,
  member,
  transfer,
  onClose,
}: {
  open: boolean
  member: Member | undefined
  transfer: TeamChanges['transfer']
  onClose: () => void
}) {
  const { control, handleSubmit, setError, reset } = useForm({ defaultValues: empty })
  const submit = handleSubmit(({ password }) => {
    if (!member) return
    if (password === '') return setError('password', { message: 'Enter your password.' }, { shouldFocus: true })
    transfer.mutate(
      { member, password },
      {
        onSuccess: () => {
          onClose()
          toast.success(`${member.name} owns the workspace now. You are an admin.`)
        },
        onError: (error) => {
          const message = explain(error, 'The workspace could not be transferred. Try again.')
          const isOfPassword = error instanceof ApiError && error.body.code === 'password_wrong'
          if (isOfPassword) setError('password', { message }, { shouldFocus: true })
          else toast.error(message)
        },
      },
    )
  })
  return (
    <FormDialog
      open={open}
      danger
      title={`Transfer the workspace to ${member?.name ?? ''}?`}
      lead="They become an owner, and you an admin: only an owner changes the plan. Confirm with your password."
      submitLabel="Transfer"
      pending={transfer.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset(empty)}
    >
      <Field control={control} name="password" label="Your Password">
        {(field) => <SecretInput {...field} what="your password" autoComplete="current-password" maxLength={128} />}
      </Field>
    </FormDialog>
  )
}
