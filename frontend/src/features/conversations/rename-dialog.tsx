import { zodResolver } from '@hookform/resolvers/zod'
import { contactSchema } from '@parley/contracts/contacts'
import type { Conversation } from '@parley/contracts/conversations'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useChangeContact } from './changes.ts'

const formSchema = z.object({ name: contactSchema.shape.name })

/** 'Edit Contact Name' (specification section 2, Conversations): only a name that is not empty is saved. */
export function RenameDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { id, name } = conversation.contact
  const change = useChangeContact()
  const { control, handleSubmit } = useForm({ resolver: zodResolver(formSchema), defaultValues: { name } })
  const save = handleSubmit((values) => {
    if (values.name !== name) change.mutate({ id, name: values.name })
    onClose()
  })
  return (
    <FormDialog
      open
      title="Edit Contact Name"
      submitLabel="Save"
      width={420}
      onSubmit={(event) => void save(event)}
      onClose={onClose}
    >
      <Field control={control} name="name" label="Contact Name">
        {(field) => <Input {...field} autoFocus autoComplete="off" dir="auto" maxLength={200} />}
      </Field>
    </FormDialog>
  )
}
