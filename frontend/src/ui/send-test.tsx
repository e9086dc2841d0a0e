import { zodResolver } from '@hookform/resolvers/zod'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { Template } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { call } from '../lib/api.ts'
import { sendingNumberChoices } from '../lib/choices/numbers.ts'
import { explain } from '../lib/explain.ts'
import { previewedTemplate } from '../lib/previewed-template.ts'
import { useChange } from '../lib/use-change.ts'
import { useUser } from '../lib/user.ts'
import { type ChosenContact, ContactsSelect } from './contact-select.tsx'
import { FormDialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { MessagePreview } from './message-preview.tsx'
import { toast } from './toast.ts'
import { VariableInput, variableLabel } from './variable-input.tsx'

interface Test {
  contacts: ChosenContact[]
  /** Values in the order of the placeholders, whose names may contain characters that field names may not. */
  values: { value: string }[]
}
/** Recipients of one test. */
const maxContacts = 5
const value = z.string().trim().min(1, 'Enter a value for this variable.').max(200)
const testSchema = z.object({
  contacts: z
    .array(z.object({ value: z.string(), label: z.string() }))
    .min(1, 'Choose a contact.')
    .max(maxContacts),
  values: z.array(z.object({ value })),
})

/** Sends an approved template to a few contacts as an ordinary message. */
export function SendTest({
  open,
  template,
  values: initial,
  numberId,
  ownFiles = false,
  onSent,
  onClose,
}: {
  open: boolean
  template: Template
  /** Values of the variables, which may be changed before it is sent. */
  values: Readonly<Record<string, string>>
  /** Number that it leaves from; that of the latest conversation unless told. */
  numberId?: string | undefined
  /** Set where recipients get files of their own, which a test does not fetch. */
  ownFiles?: boolean
  /** Called with the conversations that it now stands in. */
  onSent: (conversationIds: readonly string[]) => void
  onClose: () => void
}) {
  const workspace = useUser().data?.workspaceName
  const names = templatePlaceholders(template)
  const begin = { contacts: [], values: names.map((name) => ({ value: initial[name] ?? '' })) }
  const { control, handleSubmit, reset, setValue, watch } = useForm<Test>({
    resolver: zodResolver(testSchema),
    defaultValues: begin,
  })
  const valuesOf = (typed: Test['values']) =>
    Object.fromEntries(names.map((name, index) => [name, typed[index]?.value.trim() ?? '']))
  const shown = valuesOf(watch('values'))
  const { data: numbers } = useQuery(sendingNumberChoices())
  // A template can leave only from a number of its own account.
  const ofAccount = numbers?.find(({ businessAccountId }) => businessAccountId === template.accountId)
  const from = numberId ?? (ofAccount?.isDefault ? undefined : ofAccount?.id)
  const { mutateAsync: send, isPending } = useChange({
    run: async ({ contactId, values }: { contactId: string; values: Record<string, string> }, { idempotencyKey }) => {
      const { id } = await call(conversationsApi.open, { body: { contactId, numberId: from } })
      const body = { templateId: template.id, values, clientId: idempotencyKey }
      await call(messagesApi.sendTemplate, { params: { id }, body, idempotencyKey })
      return id
    },
  })

  const submit = handleSubmit(async ({ contacts, values }) => {
    const sent = await Promise.allSettled(
      contacts.map(({ value: contactId }) => send({ contactId, values: valuesOf(values) })),
    )
    const failed = contacts.filter((_, index) => sent[index]?.status === 'rejected')
    const reason = sent.find(({ status }) => status === 'rejected')
    if (reason?.status === 'rejected') {
      // Those who have it are not sent it again.
      setValue('contacts', failed)
      const whom = contacts.length > 1 ? `${failed.map(({ label }) => label).join(', ')}: ` : ''
      toast.error(whom + explain(reason.reason, 'The test could not be sent. Try again.'))
      return
    }
    onClose()
    onSent(sent.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
  })

  return (
    <FormDialog
      open={open}
      title={`Send a test of ${template.name}`}
      lead={`It is sent as a regular message: consent and blocks apply, and WhatsApp bills it. Follow its status in the conversation.${
        ownFiles ? ' The test carries the template’s own file, not the file of a recipient.' : ''
      }`}
      submitLabel="Send"
      pending={isPending}
      onClose={onClose}
      onClosed={() => reset(begin)}
      onSubmit={submit}
    >
      <Field control={control} name="contacts" label="To" hint={`Up to ${maxContacts} contacts.`}>
        {({ ref: _ref, onBlur: _onBlur, name: _name, ...field }) => (
          <ContactsSelect {...field} maxCount={maxContacts} />
        )}
      </Field>
      {names.map((name, index) => (
        <Field key={name} control={control} name={`values.${index}.value`} label={variableLabel(name)}>
          {({ ref: _ref, ...field }) => <VariableInput {...field} variable={name} maxLength={200} />}
        </Field>
      ))}
      <MessagePreview sender={workspace || 'Your business'} empty="" message={previewedTemplate(template, shown)} />
    </FormDialog>
  )
}
