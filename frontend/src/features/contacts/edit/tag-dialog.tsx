import { zodResolver } from '@hookform/resolvers/zod'
import { tagNameSchema } from '@parley/contracts/contacts/tags'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { TagSelect } from './tag-select.tsx'

const schema = z.object({ tags: z.array(tagNameSchema).min(1, 'Choose or type at least one tag.').max(50) })

/** Adds tags to what `whom` names: `Priya Sharma`, `3 contacts`. */
export function TagDialog({
  open,
  whom,
  onAdd,
  onClose,
}: {
  open: boolean
  whom: string
  onAdd: (tags: string[]) => void
  onClose: () => void
}) {
  const { control, handleSubmit, reset } = useForm({ resolver: zodResolver(schema), defaultValues: { tags: [] } })
  return (
    <FormDialog
      open={open}
      title="Add Tags"
      lead={`Added to ${whom}. Existing tags are kept.`}
      submitLabel="Add"
      onClose={onClose}
      onClosed={() => reset()}
      onSubmit={handleSubmit(({ tags }) => onAdd(tags))}
    >
      <Field control={control} name="tags" label="Tags">
        {({ ref: _ref, ...field }) => <TagSelect {...field} />}
      </Field>
    </FormDialog>
  )
}
