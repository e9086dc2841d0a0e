import EditOutlined from '@ant-design/icons/EditOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import { attributeValue } from '@parley/contracts/contacts/contact-attributes'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useMay } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { AttributeInput } from '../../../ui/contact/attribute-input.tsx'
import { shownValue } from '../../../ui/contact/attribute-value.ts'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChangedElsewhere, useChangeField } from '../changes.ts'
import styles from './contact-fields.module.css'
import { type ContactField, useShownFields } from './shown-fields.ts'

/** Shows the contact's fields, each edited in its place; which of them is each person's choice. */
export function ContactFields({ contact }: { contact: Contact }) {
  const { all, shown, toggle } = useShownFields(contact)
  const [choosing, setChoosing] = useState(false)
  const [editing, setEditing] = useState<string>()
  /** The field that was edited last: the focus returns to its button. */
  const [left, setLeft] = useState<string>()
  const close = () => {
    setLeft(editing)
    setEditing(undefined)
  }
  const mayEdit = useMay('contacts:write') === true
  return (
    <section aria-labelledby="panel-fields">
      <div className={styles['head']}>
        <h3 id="panel-fields">Fields</h3>
        <Popover
          label="Fields to show"
          open={choosing}
          onOpenChange={setChoosing}
          align="end"
          button={
            <IconButton label="Choose fields">
              <SettingOutlined aria-hidden />
            </IconButton>
          }
        >
          <div className={styles['choices']}>
            {all.map(({ name, label }) => (
              <Checkbox key={name} checked={shown.some((field) => field.name === name)} onChange={() => toggle(name)}>
                <span dir="auto">{label}</span>
              </Checkbox>
            ))}
          </div>
        </Popover>
      </div>
      {shown.length === 0 && <p className={styles['unknown']}>No fields chosen.</p>}
      <dl className={styles['fields']}>
        {shown.map((field) => (
          <div key={field.name}>
            {editing === field.name ? (
              <dd>
                <FieldForm contact={contact} field={field} onClose={close} />
              </dd>
            ) : (
              <>
                <dt dir="auto">{field.label}</dt>
                <dd>
                  <Value field={field} value={contact.attributes[field.name]} />
                  {mayEdit && (
                    <IconButton
                      label={`Edit ${field.label}`}
                      autoFocus={left === field.name}
                      onClick={() => setEditing(field.name)}
                    >
                      <EditOutlined aria-hidden />
                    </IconButton>
                  )}
                </dd>
              </>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}

const Value = ({ field, value }: { field: ContactField; value: string | undefined }) =>
  value === undefined ? (
    <span className={styles['unknown']}>Not known</span>
  ) : (
    <bdi className={styles['value']}>{shownValue(value, field.type)}</bdi>
  )

/** Edits one field where it stands: Enter saves it, Escape leaves it as it was. */
function FieldForm({ contact, field, onClose }: { contact: Contact; field: ContactField; onClose: () => void }) {
  const [from, setFrom] = useState(contact.attributes[field.name] ?? '')
  const { control, handleSubmit, setError } = useForm({ defaultValues: { value: from } })
  const change = useChangeField(contact.id)
  const save = handleSubmit(({ value: typed }) => {
    // A value stored before its field had a type stays as it is.
    if (typed === from) return onClose()
    const read = attributeValue(field, typed)
    if ('problem' in read) return setError('value', { message: read.problem })
    change.mutate(
      { name: field.name, value: read.value, from },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (!(error instanceof ChangedElsewhere)) {
            toast.error(explain(error, 'The field could not be changed. Try again.'))
            return
          }
          const now = error.current.attributes[field.name] ?? ''
          setFrom(now)
          const words = now === '' ? 'cleared it' : `changed it to “${shownValue(now, field.type)}”`
          setError('value', { message: `Somebody has ${words} meanwhile. Save again to keep yours.` })
        },
      },
    )
  })
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <Field control={control} name="value" label={field.label}>
        {(control) => <AttributeInput attribute={field} field={control} autoFocus />}
      </Field>
      <div className={styles['buttons']}>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button size="small" type="primary" htmlType="submit" loading={change.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
