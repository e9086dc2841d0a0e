import { zodResolver } from '@hookform/resolvers/zod'
import { type NewConsent, newConsentSchema } from '@parley/contracts/contacts/consent'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { Input, Radio, Select } from 'antd'
import { useForm } from 'react-hook-form'
import { explain } from '../../lib/explain.ts'
import { useOpening } from '../../lib/use-opening.ts'
import { FormDialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { toast } from '../toast.ts'
import { useRecordConsent } from './consent-api.ts'

const categories = [
  { value: 'marketing', label: 'Marketing' },
  { value: 'utility', label: 'Notices about orders and the like' },
]
const choices = [
  { value: 'in', label: 'Allowed' },
  { value: 'out', label: 'Opted out' },
]

interface Props {
  readonly open: boolean
  readonly contact: Contact
  readonly onClose: () => void
}

/** Records consent given to a member outside WhatsApp, with a note that proves it. */
export function RecordConsent(props: Props) {
  return <Dialog key={useOpening(props.open)} {...props} />
}

function Dialog({ open, contact, onClose }: Props) {
  const { control, handleSubmit } = useForm<NewConsent>({
    resolver: zodResolver(newConsentSchema),
    defaultValues: { category: 'marketing', value: contact.optIn.marketing === 'in' ? 'out' : 'in', note: '' },
  })
  const record = useRecordConsent(contact.id)
  const submit = handleSubmit((values) =>
    record.mutate(values, {
      onSuccess: () => {
        toast.success('The consent is recorded.')
        onClose()
      },
      onError: (error) =>
        toast.error(explain(error, 'The consent could not be recorded. What you wrote is still here. Try again.')),
    }),
  )
  return (
    <FormDialog
      open={open}
      title="Record consent"
      lead={`What ${contact.name} has told you. It is kept as proof and cannot be changed later.`}
      submitLabel="Record"
      pending={record.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field control={control} name="category" label="About">
        {(field) => <Select {...field} options={categories} />}
      </Field>
      <Field control={control} name="value" label="Choice">
        {({ status: _status, ...field }) => <Radio.Group {...field} options={choices} />}
      </Field>
      <Field control={control} name="note" label="How they told you">
        {(field) => (
          <Input.TextArea
            {...field}
            rows={3}
            maxLength={500}
            dir="auto"
            placeholder="By phone on Monday, asked for the newsletter"
          />
        )}
      </Field>
    </FormDialog>
  )
}
