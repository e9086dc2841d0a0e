import { zodResolver } from '@hookform/resolvers/zod'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../lib/api.ts'
import { attributeChoices } from '../../../lib/choices/attributes.ts'
import { explain } from '../../../lib/explain.ts'
import { Link } from '../../../lib/navigation.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useConflict } from '../../../lib/use-conflict.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { AttributeInput } from '../../../ui/contact/attribute-input.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { NotHere } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { LeaveWarning } from '../../../ui/leave-warning.tsx'
import { MobileFields } from '../../../ui/mobile-fields.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { contactOptions, useSaveContact } from '../api.ts'
import styles from './contact-dialog.module.css'
import { type ContactFormValues, contactFormSchema, exampleUserId, fieldsOf, keyOf, valuesOf } from './contact-form.ts'
import { TagSelect } from './tag-select.tsx'

/** Dialog 'Edit Contact' for a stored contact, which is read first; reports where there is none. */
export function EditContact({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: contact, error, refetch, isFetching } = useQuery(contactOptions(id))
  if (contact) return <ContactDialog key={id} contact={contact} onClose={onClose} onSaved={onClose} />
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Modal open centered width={480} title="Edit Contact" onCancel={onClose} footer={null}>
      {isMissing ? (
        <NotHere what="contact" onLeave={onClose} />
      ) : error && !isFetching ? (
        <ErrorState message="The contact could not be loaded. Try again." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBlocks count={3} height="64px" />
      )}
    </Modal>
  )
}

const labels = {
  name: 'Name',
  country: 'Country code',
  number: 'Phone',
  userId: 'WhatsApp user id',
  tags: 'Tags',
  city: 'City',
} as const

interface Props {
  contact?: Contact
  onClose: () => void
  onSaved: (contact: Contact) => void
}

/** The one form of 'Add Contact' and 'Edit Contact', once it is known which fields the workspace has defined. */
export function ContactDialog(props: Props) {
  const { data: attributes = [], isPending } = useQuery(attributeChoices())
  if (!isPending) return <ContactForm {...props} attributes={attributes} />
  return (
    <Modal
      open
      centered
      width={480}
      title={props.contact ? 'Edit Contact' : 'Add Contact'}
      onCancel={props.onClose}
      footer={null}
    >
      <SkeletonBlocks count={3} height="64px" />
    </Modal>
  )
}

function ContactForm({ contact, attributes: read, onClose, onSaved }: Props & { attributes: readonly Attribute[] }) {
  // Fields defined while the form is open are included the next time it opens.
  const [attributes] = useState(read)
  const valuesIn = (of: Contact | undefined) => valuesOf(of, attributes)
  const form = useForm<ContactFormValues>({
    resolver: zodResolver(contactFormSchema(contact, attributes)),
    defaultValues: valuesIn(contact),
  })
  const { control, handleSubmit, setError, formState } = form
  // Read at once, as react-hook-form follows only fields that have been read.
  const { errors, isDirty: isChanged } = formState
  const conflict = useConflict({
    form,
    record: contact,
    valuesOf: valuesIn,
    labels: { ...labels, ...Object.fromEntries(attributes.map((one) => [keyOf(one), one.label])) },
  })
  const [owner, setOwner] = useState<ApiError['body']['existing']>()
  const [saved, setSaved] = useState<Contact>()
  /** A customer who hides the phone number is known by an id alone, which few have at hand. */
  const [asksUserId, setAsksUserId] = useState(false)
  const save = useSaveContact()

  function showProblem(error: unknown) {
    const current = staleRecord(error, contactsApi.update)
    if (current) return conflict.merge(current)
    const { code, message, existing } = error instanceof ApiError ? error.body : {}
    if (code !== 'contact_exists')
      return toast.error(explain(error, 'The contact could not be saved. Your changes are still here. Try again.'))
    const isUserId = error instanceof ApiError && error.body.fields?.['waUserId'] !== undefined
    const fieldName = isUserId ? 'userId' : 'number'
    setError(fieldName, { message: message ?? 'Another contact has this phone number.' }, { shouldFocus: true })
    setOwner(existing)
  }

  const submit = handleSubmit((values) => {
    const fields = fieldsOf(values, conflict.seen, attributes)
    setOwner(undefined)
    save.mutate(
      { of: conflict.seen, fields },
      {
        onSuccess: (stored) => {
          toast.success(contact ? `${stored.name} saved.` : `${stored.name} added.`)
          setSaved(stored)
        },
        onError: showProblem,
      },
    )
  })
  // The warning must have let go before the address changes.
  const isDirty = isChanged && !saved
  return (
    <>
      <FormDialog
        open={!saved}
        title={contact ? 'Edit Contact' : 'Add Contact'}
        submitLabel={contact ? 'Save' : 'Add Contact'}
        pending={save.isPending}
        onClose={onClose}
        onClosed={() => saved && onSaved(saved)}
        onSubmit={submit}
      >
        <ConflictNotice<ContactFormValues> what="contact" conflict={conflict} />
        <Field control={control} name="name" label="Name">
          {(field) => <Input {...field} maxLength={120} autoComplete="off" dir="auto" autoFocus />}
        </Field>
        <div className={styles['phone']}>
          <MobileFields form={form} label="Phone" autoComplete="off" />
          {contact?.waUserId === undefined && !asksUserId && (
            <Button type="link" size="small" className={styles['other'] ?? ''} onClick={() => setAsksUserId(true)}>
              Add a WhatsApp user id
            </Button>
          )}
          {owner && errors.number && <OwnerLink owner={owner} />}
        </div>
        {asksUserId && (
          <div className={styles['phone']}>
            <Field control={control} name="userId" label="WhatsApp user id" optional>
              {(field) => <Input {...field} maxLength={140} autoComplete="off" placeholder={exampleUserId} autoFocus />}
            </Field>
            {owner && errors.userId && <OwnerLink owner={owner} />}
          </div>
        )}
        <Field control={control} name="tags" label="Tags" optional>
          {({ ref: _ref, ...field }) => <TagSelect {...field} />}
        </Field>
        <Field control={control} name="city" label="City" optional>
          {(field) => <Input {...field} maxLength={1000} autoComplete="off" dir="auto" />}
        </Field>
        {attributes.map((attribute) => (
          <Field key={attribute.id} control={control} name={keyOf(attribute)} label={attribute.label} optional>
            {(field) => <AttributeInput attribute={attribute} field={field} />}
          </Field>
        ))}
        <Link to="/contacts/fields">Manage fields</Link>
      </FormDialog>
      <LeaveWarning
        active={isDirty}
        what={contact ? contact.name : 'the new contact'}
        parameter={contact ? 'edit' : 'new'}
      />
    </>
  )
}

/** The contact who has it already. */
const OwnerLink = ({ owner: { id, name } }: { owner: { id: string; name: string } }) => (
  <Link to={`/contacts?edit=${id}`} dir="auto">
    Open {name}
  </Link>
)
