import type { Member } from '@parley/contracts/account/members'
import type { Role } from '@parley/contracts/account/permissions'
import { Select } from 'antd'
import { useForm } from 'react-hook-form'
import { explain } from '../../../lib/explain.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { toast } from '../../../ui/toast.ts'
import { roleChoices, roleWords } from './roles.ts'
import type { TeamChanges } from './team-api.ts'

interface Props {
  readonly open: boolean
  readonly member: Member | undefined
  readonly ownRole: Role
  readonly change: TeamChanges['changeRole']
  readonly onClose: () => void
}

/** Asks which role a member is to have. */
export function RoleDialog(props: Props) {
  return <Dialog key={useOpening(props.open)} {...props} />
}

function Dialog({ open, member, ownRole, change, onClose }: Props) {
  const { control, handleSubmit, watch } = useForm<{ role: Role }>({
    defaultValues: { role: member?.role ?? 'agent' },
  })
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
