import { zodResolver } from '@hookform/resolvers/zod'
import { tagNameSchema } from '@parley/contracts/contacts/tags'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { AutoComplete } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { useTags } from '../../../lib/choices/tags.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { useTagging } from './use-tagging.ts'

/** Adds a tag that exists or a new one to the contact. */
export function TagDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { contact } = conversation
  const tags = useTags()
  const tagging = useTagging(conversation)
  const formSchema = z.object({
    tag: tagNameSchema.refine((tag) => !contact.tags.includes(tag), 'The contact already has this tag'),
  })
  const { control, handleSubmit } = useForm({ resolver: zodResolver(formSchema), defaultValues: { tag: '' } })
  const add = handleSubmit(({ tag }) => {
    tagging.add(tag)
    onClose()
  })
  const options = tags.filter(({ name }) => !contact.tags.includes(name)).map(({ name }) => ({ value: name }))
  return (
    <FormDialog
      open
      title="Add Tag"
      submitLabel="Add Tag"
      width={420}
      onSubmit={(event) => void add(event)}
      onClose={onClose}
    >
      <Field control={control} name="tag" label="Tag" hint="Choose a tag or write a new one.">
        {(field) => (
          <AutoComplete
            {...field}
            autoFocus
            options={options}
            showSearch={{ filterOption: (typed, option) => (option?.value ?? '').includes(typed.trim().toLowerCase()) }}
          />
        )}
      </Field>
    </FormDialog>
  )
}
