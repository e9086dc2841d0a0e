import { zodResolver } from '@hookform/resolvers/zod'
import { invitationsApi } from '@parley/contracts/account/invitations'
import type { Role } from '@parley/contracts/account/permissions'
import { Input, Select } from 'antd'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { toast } from '../../../ui/toast.ts'
import { roleChoices, roleWords } from './roles.ts'
import type { TeamChanges } from './team-api.ts'

type InviteForm = z.infer<typeof invitationsApi.create.body>
const empty: InviteForm = { email: '', role: 'agent' }
/** Refusals that are about the address. */
const ofAddress: ReadonlySet<unknown> = new Set(['member_exists', 'invitation_exists', 'validation_failed'])

/** Asks whom to invite, and as what. */
export function InviteDialog({
  open,
  ownRole,
  invite,
  onClose,
}: {
  open: boolean
  ownRole: Role
  invite: TeamChanges['invite']
  onClose: () => void
}) {
  const { control, handleSubmit, setError, reset, watch } = useForm<InviteForm>({
    resolver: zodResolver(invitationsApi.create.body),
    defaultValues: empty,
  })
  const submit = handleSubmit((values) =>
    invite.mutate(values, {
      onSuccess: () => {
        onClose()
        toast.success(`${values.email} is invited.`)
      },
      onError: (error) => {
        const message = explain(error, 'The invitation could not be sent. Try again.')
        if (error instanceof ApiError && ofAddress.has(error.body.code))
          setError('email', { message }, { shouldFocus: true })
        else toast.error(message)
      },
    }),
  )
  return (
    <FormDialog
      open={open}
      title="Invite to the workspace"
      lead="They get a mail with a link that works for seven days, and for this address alone."
      submitLabel="Send Invitation"
      pending={invite.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset(empty)}
    >
      <Field control={control} name="email" label="Email">
        {(field) => <Input {...field} type="email" inputMode="email" autoComplete="off" maxLength={254} />}
      </Field>
      <Field control={control} name="role" label="Role" hint={roleWords[watch('role')].may}>
        {(field) => <Select {...field} options={roleChoices(ownRole)} getPopupContainer={popupInside} />}
      </Field>
    </FormDialog>
  )
}
