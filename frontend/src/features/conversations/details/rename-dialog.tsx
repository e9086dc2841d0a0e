import { zodResolver } from '@hookform/resolvers/zod'
import { contactSchema } from '@parley/contracts/contacts/contacts'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { explain } from '../../../lib/explain.ts'
import { useConflict } from '../../../lib/use-conflict.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChangedElsewhere, useRenameContact } from '../changes.ts'

const formSchema = z.object({ name: contactSchema.shape.name })
type Named = z.infer<typeof formSchema>
const valuesOf = ({ name }: Named): Named => ({ name })
const labels = { name: 'Contact Name' } as const

/** Dialog 'Edit Contact Name': saves only a name that is not empty. */
export function RenameDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { id, name: shownName } = conversation.contact
  const rename = useRenameContact(conversation.id, id)
  const form = useForm<Named>({ resolver: zodResolver(formSchema), defaultValues: { name: shownName } })
  const conflict = useConflict({ form, record: conversation.contact, valuesOf, labels })
  const from = conflict.seen?.name ?? shownName
  const save = form.handleSubmit(({ name }) => {
    if (name === from) return onClose()
    rename.mutate(
      { name, from },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (error instanceof ChangedElsewhere) conflict.merge(error.current)
          else toast.error(explain(error, 'The contact could not be changed. Try again.'))
        },
      },
    )
  })
  return (
    <FormDialog
      open
      title="Edit Contact Name"
      submitLabel="Save"
      width={420}
      pending={rename.isPending}
      onSubmit={(event) => void save(event)}
      onClose={onClose}
    >
      <ConflictNotice what="contact" conflict={conflict} />
      <Field control={form.control} name="name" label="Contact Name">
        {(field) => <Input {...field} autoFocus autoComplete="off" dir="auto" maxLength={200} />}
      </Field>
    </FormDialog>
  )
}
