import { type OutgoingCard, outgoingContentSchema } from '@parley/contracts/inbox/outgoing-content'
import { parsePhone, writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { ContactSelect } from '../../../ui/contact-select.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { contactOptions } from './contact-variables.ts'
import styles from './template-dialog.module.css'

/** Asks whose card is sent: one of the contacts, or a name and a number that are typed. */
export function ContactCardDialog({
  onSend,
  onClose,
}: {
  onSend: (content: OutgoingCard) => void
  onClose: () => void
}) {
  const id = useId()
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<{ name?: string; phone?: string }>({})
  const [tried, setTried] = useState(false)
  const { data: contact } = useQuery({ ...contactOptions(chosen ?? ''), enabled: chosen !== undefined })
  const name = typed.name ?? contact?.name ?? ''
  const phone = typed.phone ?? (contact?.phone ? writtenPhone(contact.phone) : '')
  const number = parsePhone(phone)
  const problems = {
    name: name.trim() === '' ? 'Enter a name.' : undefined,
    phone: number ? undefined : 'Enter a phone number with its country code.',
  }
  const submit = () => {
    setTried(true)
    if (problems.name || !number) return
    const contacts = [{ name: name.trim(), phones: [number.e164] }]
    const content = outgoingContentSchema.parse({ type: 'contacts', contacts })
    if (content.type === 'contacts') onSend(content)
    onClose()
  }
  return (
    <FormDialog
      open
      title="Send a contact card"
      lead="The customer can save it with one tap."
      submitLabel="Send contact card"
      width={440}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles['field']}>
        <label htmlFor={`${id}-contact`}>One of your contacts (optional)</label>
        <ContactSelect
          id={`${id}-contact`}
          value={chosen}
          onChange={(next) => {
            setChosen(next)
            setTyped({})
          }}
        />
      </div>
      {(['name', 'phone'] as const).map((field) => (
        <div key={field} className={styles['field']}>
          <label htmlFor={`${id}-${field}`}>{field === 'name' ? 'Name' : 'Phone number'}</label>
          <Input
            id={`${id}-${field}`}
            type={field === 'phone' ? 'tel' : 'text'}
            dir="auto"
            maxLength={field === 'phone' ? 40 : 200}
            value={field === 'name' ? name : phone}
            status={tried && problems[field] ? 'error' : ''}
            aria-invalid={(tried && problems[field] !== undefined) || undefined}
            aria-describedby={tried && problems[field] ? `${id}-${field}-problem` : undefined}
            onChange={({ target }) => setTyped({ ...typed, [field]: target.value })}
          />
          {tried && problems[field] && (
            <p id={`${id}-${field}-problem`} className={styles['error']} role="alert">
              {problems[field]}
            </p>
          )}
        </div>
      ))}
    </FormDialog>
  )
}
