import type { Member } from '@parley/contracts/account/members'
import type { Role } from '@parley/contracts/account/permissions'
import { Select } from 'antd'
import { useForm } from 'react-hook-form'
import { explain } from '../../../lib/explain.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { toast } from '../../../ui/toast.ts'
import { roleChoices, roleWords } from './roles.ts'
import type { TeamChanges } from './team-api.ts'

/** Asks which role a member is to have. */
export function RoleDialog({
  open,
  member,
  ownRole,
  change,
  onClose,
}: {
  open: boolean
  member: Member | undefined
  ownRole: Role
  change: TeamChanges['changeRole']
  onClose: () => void
}) {
  const { control, handleSubmit, watch } = useForm<{ role: Role }>({ values: { role: member?.role ?? 'agent' } })
  const submit = handleSubmit(({ role }) => {
    if (!member) return
    change.mutate(
      { member, role },
      {
        onSuccess: () => {
          onClose()
          toast.success(`${member.name} is ${roleWords[role].label} now.`)
        },
        onError: (error) => toast.error(explain(error, 'The role could not be changed. Try again.')),
      },
    )
  })
  return (
    <FormDialog
      open={open}
      title={`Role of ${member?.name ?? ''}`}
      submitLabel="Change Role"
      pending={change.isPending}
      submitDisabled={watch('role') === member?.role}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <Field control={control} name="role" label="Role" hint={roleWords[watch('role')].may}>
        {(field) => <Select {...field} options={roleChoices(ownRole)} getPopupContainer={popupInside} />}
      </Field>
    </FormDialog>
  )
}
