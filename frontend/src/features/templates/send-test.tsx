import { zodResolver } from '@hookform/resolvers/zod'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { fillPlaceholders, templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { Template } from '@parley/contracts/templates/templates'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { useNavigate } from '../../lib/navigation.ts'
import { shownButtons } from '../../lib/shown-buttons.ts'
import { useChange } from '../../lib/use-change.ts'
import { useUser } from '../../lib/user.ts'
import { ContactSelect } from '../../ui/contact-select.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { MessagePreview } from '../../ui/message-preview.tsx'
import { toast } from '../../ui/toast.ts'

interface Test {
  contactId: string
  /** Values in the order of the placeholders, whose names may contain characters that field names may not. */
  values: { value: string }[]
}
const value = z.string().trim().min(1, 'Enter a value for this variable.').max(200)
const testSchema = z.object({
  contactId: z.string().min(1, 'Choose a contact.'),
  values: z.array(z.object({ value })),
})

/** Sends an approved template to one contact as an ordinary message, and shows the conversation that it stands in. */
export function SendTest({ open, template, onClose }: { open: boolean; template: Template; onClose: () => void }) {
  const navigate = useNavigate()
  const workspace = useUser().data?.workspaceName
  const names = templatePlaceholders(template)
  const { control, handleSubmit, reset, watch } = useForm<Test>({
    resolver: zodResolver(testSchema),
    defaultValues: { contactId: '', values: names.map((name) => ({ value: template.examples[name] ?? '' })) },
  })
  const typed = watch('values')
  const valuesOf = ({ values }: Pick<Test, 'values'>) =>
    Object.fromEntries(names.map((name, index) => [name, values[index]?.value.trim() ?? '']))
  const shown = valuesOf({ values: typed })
  const { mutateAsync: send, isPending } = useChange({
    run: async (test: Test, { idempotencyKey }) => {
      const { id } = await call(conversationsApi.open, { body: { contactId: test.contactId } })
      const body = { templateId: template.id, values: valuesOf(test), clientId: idempotencyKey }
      await call(messagesApi.sendTemplate, { params: { id }, body, idempotencyKey })
      return id
    },
  })

  const submit = handleSubmit(async (test) => {
    try {
      const id = await send(test)
      onClose()
      void navigate(`/conversations?id=${id}`)
    } catch (error) {
      toast.error(explain(error, 'The test could not be sent. Try again.'))
    }
  })

  return (
    <FormDialog
      open={open}
      title={`Send a test of ${template.name}`}
      lead="It is sent as a regular message: consent and blocks apply, and WhatsApp bills it. Follow its status in the conversation."
      submitLabel="Send"
      pending={isPending}
      onClose={onClose}
      onClosed={() => reset()}
      onSubmit={submit}
    >
      <Field control={control} name="contactId" label="To">
        {({ ref: _ref, onBlur: _onBlur, name: _name, ...field }) => <ContactSelect {...field} />}
      </Field>
      {names.map((name, index) => (
        <Field key={name} control={control} name={`values.${index}.value`} label={`{{${name}}}`}>
          {(field) => <Input {...field} dir="auto" maxLength={200} />}
        </Field>
      ))}
      <MessagePreview
        sender={workspace || 'Your business'}
        empty=""
        message={{
          header: template.header && fillPlaceholders(template.header, shown),
          headerMedia: template.headerMedia,
          body: fillPlaceholders(template.body, shown),
          footer: template.footer,
          buttons: shownButtons(template),
        }}
      />
    </FormDialog>
  )
}
