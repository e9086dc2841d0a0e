import { zodResolver } from '@hookform/resolvers/zod'
import {
  type Attribute,
  attributesApi,
  attributeTypes,
  newAttributeSchema,
} from '@parley/contracts/contacts/contact-attributes'
import { Input, Select } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useConflict } from '../../../lib/use-conflict.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { toast } from '../../../ui/toast.ts'
import { useSaveAttribute } from './api.ts'
import { typeNames } from './type-names.ts'

const types = attributeTypes.map((value) => ({ value, label: typeNames[value] }))
const labels = { label: 'Name', type: 'Type', choices: 'Choices' } as const

/** Schema of the form as it is typed: a choice on each line. */
const formSchema = z
  .object({ label: z.string(), type: z.enum(attributeTypes), choices: z.string().max(5000, 'Use fewer choices') })
  .superRefine((values, { addIssue }) => {
    const checked = newAttributeSchema.safeParse(fieldsOf(values))
    for (const { path, message } of checked.error?.issues ?? [])
      addIssue({ code: 'custom', path: path.slice(0, 1), message })
  })
type FieldForm = z.infer<typeof formSchema>

const fieldsOf = ({ label, type, choices }: FieldForm) => ({
  label,
  type,
  choices: type === 'choice' ? linesOf(choices) : [],
})
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const valuesOf = (attribute: Attribute | undefined): FieldForm => ({
  label: attribute?.label ?? '',
  type: attribute?.type ?? 'text',
  choices: attribute?.choices.join('\n') ?? '',
})

/** Dialog 'Add Field' and 'Edit Field'. */
export function FieldDialog({
  attribute,
  open,
  onClose,
}: {
  attribute: Attribute | undefined
  open: boolean
  onClose: () => void
}) {
  const form = useForm<FieldForm>({ resolver: zodResolver(formSchema), defaultValues: valuesOf(attribute) })
  const { control, handleSubmit, setError, watch } = form
  const conflict = useConflict({ form, record: attribute, valuesOf, labels })
  const save = useSaveAttribute()
  const submit = handleSubmit((values) =>
    save.mutate(
      { of: conflict.seen, fields: newAttributeSchema.parse(fieldsOf(values)) },
      {
        onSuccess: ({ label }) => {
          toast.success(attribute ? `${label} saved.` : `${label} added.`)
          onClose()
        },
        onError: (error) => {
          const current = staleRecord(error, attributesApi.update)
          if (current) return conflict.merge(current)
          const message = error instanceof ApiError ? error.body.fields?.['label'] : undefined
          if (message) return setError('label', { message }, { shouldFocus: true })
          toast.error(explain(error, 'The field could not be saved. Your changes are still here. Try again.'))
        },
      },
    ),
  )
  return (
    <FormDialog
      open={open}
      title={attribute ? 'Edit Field' : 'Add Field'}
      submitLabel={attribute ? 'Save' : 'Add Field'}
      pending={save.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <ConflictNotice what="field" conflict={conflict} />
      <Field control={control} name="label" label="Name">
        {(field) => <Input {...field} maxLength={60} autoComplete="off" dir="auto" autoFocus />}
      </Field>
      <Field
        control={control}
        name="type"
        label="Type"
        {...(attribute && {
          hint: 'Values that do not fit the new type stay as they are until someone edits them.',
        })}
      >
        {({ ref: _ref, ...field }) => <Select {...field} options={types} getPopupContainer={popupInside} />}
      </Field>
      {watch('type') === 'choice' && (
        <Field control={control} name="choices" label="Choices" hint="One per line, in the order they should appear.">
          {(field) => <Input.TextArea {...field} autoSize={{ minRows: 3, maxRows: 10 }} maxLength={5000} dir="auto" />}
        </Field>
      )}
    </FormDialog>
  )
}
