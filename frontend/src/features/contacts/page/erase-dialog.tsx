import { zodResolver } from '@hookform/resolvers/zod'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQueryClient } from '@tanstack/react-query'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { whenEnded } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { useNavigate } from '../../../lib/navigation.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useContactsRead } from '../api.ts'
import { useEraseContact } from '../jobs/api.ts'

/** Asks for the name before a person's data is deleted for good. */
export function EraseDialog({ open, contact, onClose }: { open: boolean; contact: Contact; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const readAgain = useContactsRead()
  const { mutateAsync: erase, isPending } = useEraseContact()
  const typed = contact.name.trim()
  const { control, handleSubmit, reset } = useForm({
    resolver: zodResolver(
      z.object({
        name: z
          .string()
          .trim()
          .refine((name) => name === typed, `Type ${typed}`),
      }),
    ),
    defaultValues: { name: '' },
  })

  const submit = handleSubmit(async ({ name }) => {
    try {
      const job = await erase({ id: contact.id, name })
      toast.note(`${typed} is being erased.`)
      void navigate('/contacts')
      const ended = await whenEnded(client, job)
      await readAgain()
      if (ended && (ended.problem !== null || ended.state !== 'done'))
        toast.error(ended.problem ?? 'The contact was not erased completely.')
      else if (ended) toast.success('The contact was erased.')
    } catch (error) {
      toast.error(explain(error, 'The contact could not be erased. Nothing was deleted. Try again.'))
    }
  })

  return (
    <FormDialog
      open={open}
      title={`Erase ${contact.name}?`}
      lead="Everything stored about this person is permanently deleted: contact, messages, files, and their rows in imports and exports. An opt-out is kept without the number, and campaign totals stay the same. This cannot be undone."
      submitLabel="Erase for good"
      danger
      pending={isPending}
      onClose={onClose}
      onClosed={() => reset()}
      onSubmit={submit}
    >
      <Field control={control} name="name" label={`Type ${typed} to confirm`}>
        {(field) => <Input {...field} autoComplete="off" dir="auto" maxLength={120} />}
      </Field>
    </FormDialog>
  )
}
