import { zodResolver } from '@hookform/resolvers/zod'
import { tagNameSchema } from '@parley/contracts/contacts/tags'
import { Checkbox } from 'antd'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { counted } from '../../../lib/format.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { TagSelect } from './tag-select.tsx'

const schema = z.object({
  tags: z.array(tagNameSchema).min(1, 'Choose or type at least one tag.').max(50),
  startWorkflows: z.boolean(),
})

/** Adds tags to what `whom` names: `Priya Sharma`, `3 contacts`. */
export function TagDialog({
  open,
  whom,
  asksForWorkflows,
  onAdd,
  onClose,
}: {
  open: boolean
  whom: string
  /** Number of contacts for which workflows start only where the member says so. */
  asksForWorkflows?: number
  onAdd: (tags: string[], startWorkflows: boolean) => void
  onClose: () => void
}) {
  const { control, handleSubmit, reset } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { tags: [], startWorkflows: false },
  })
  return (
    <FormDialog
      open={open}
      title="Add Tags"
      lead={`Added to ${whom}. Existing tags are kept.`}
      submitLabel="Add"
      onClose={onClose}
      onClosed={() => reset()}
      onSubmit={handleSubmit(({ tags, startWorkflows }) => onAdd(tags, startWorkflows))}
    >
      <Field control={control} name="tags" label="Tags">
        {({ ref: _ref, ...field }) => <TagSelect {...field} />}
      </Field>
      {asksForWorkflows !== undefined && (
        <Controller
          control={control}
          name="startWorkflows"
          render={({ field: { value, ...field } }) => (
            <Checkbox {...field} checked={value}>
              Start workflows for {counted(asksForWorkflows, 'contact')}
            </Checkbox>
          )}
        />
      )}
    </FormDialog>
  )
}
