import { zodResolver } from '@hookform/resolvers/zod'
import { type Tag, tagColours, tagNameSchema, tagsApi } from '@parley/contracts/contacts/tags'
import { useQueryClient } from '@tanstack/react-query'
import { Input, Radio } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError, call } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { counted } from '../../../lib/format.ts'
import { choiceKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from '../fields/fields-page.module.css'
import { useRenameTag } from '../jobs/use-change-all.ts'

const schema = z.object({ name: tagNameSchema, colour: z.enum(tagColours) })
const named = (colour: Tag['colour']): string => `${colour.slice(0, 1).toUpperCase()}${colour.slice(1)}`

/** Dialog to change name or colour. The name of another tag merges this one into it. */
export function EditTagDialog({
  tag,
  tags,
  open,
  onClose,
}: {
  tag: Tag
  tags: readonly Tag[]
  open: boolean
  onClose: () => void
}) {
  const { control, handleSubmit, setError, watch } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: tag.name, colour: tag.colour },
  })
  const colouring = useColourTag()
  const renaming = useRenameTag()
  const typed = watch('name').trim()
  const other = typed === tag.name ? undefined : tags.find(({ name }) => name === typed)
  const submit = handleSubmit(async ({ name, colour }) => {
    try {
      if (colour !== tag.colour && !other) await colouring.mutateAsync({ tag: tag.name, colour })
      if (name === tag.name) return onClose()
      await renaming.rename(tag.name, name, onClose)
    } catch (error) {
      const message = explain(error, 'The tag could not be saved. Try again.')
      if (error instanceof ApiError && error.body.code === 'tag_in_use')
        setError('name', { message }, { shouldFocus: true })
      else toast.error(message)
    }
  })
  return (
    <FormDialog
      open={open}
      title="Edit Tag"
      submitLabel={other ? 'Merge Tags' : 'Save'}
      pending={colouring.isPending || renaming.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field
        control={control}
        name="name"
        label="Name"
        hint="Segments and campaigns that have not started are updated too."
        warning={
          other &&
          `${counted(tag.contacts, 'contact')} will be tagged ${other.name} instead, joining ${counted(other.contacts, 'contact')}.`
        }
      >
        {(field) => <Input {...field} maxLength={40} autoComplete="off" dir="auto" autoFocus />}
      </Field>
      {!other && (
        <Field control={control} name="colour" label="Colour">
          {({ ref: _ref, status: _status, ...field }) => (
            <Radio.Group
              {...field}
              className={styles['colours'] ?? ''}
              aria-label="Colour"
              options={tagColours.map((colour) => ({
                value: colour,
                label: <Pill colour={colour}>{named(colour)}</Pill>,
              }))}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}

function useColourTag() {
  const client = useQueryClient()
  return useChange({
    run: (body: { readonly tag: string; readonly colour: Tag['colour'] }, intent) =>
      call(tagsApi.colour, { body, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: choiceKeys.tags }),
  })
}
