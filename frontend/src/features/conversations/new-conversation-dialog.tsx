import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { parsePhone, writtenPhone } from '@parley/phone'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { call } from '../../lib/api.ts'
import { contactChoice } from '../../lib/choices/contacts.ts'
import { sendingNumberChoices } from '../../lib/choices/numbers.ts'
import { explain } from '../../lib/explain.ts'
import { contactKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { useContactSearch } from '../../ui/contact-select.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { popupInside } from '../../ui/popup-inside.ts'
import { useOpenConversation } from './changes.ts'
import styles from './composer/template-dialog.module.css'
import type { ChangeInboxUrl } from './url.ts'

/** Value of the choice that is a typed number, not a contact. */
const typedPrefix = 'phone:'

/**
 * Begins a conversation with a contact, or with a phone number that becomes one. Where no free text may be sent the choice of a
 * template opens with it.
 */
export function NewConversationDialog({ change, onClose }: { change: ChangeInboxUrl; onClose: () => void }) {
  const id = useId()
  const [chosen, setChosen] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const { data: numbers = [] } = useQuery(sendingNumberChoices())
  const [numberId, setNumberId] = useState<string>()
  const { typed, contacts, search } = useContactSearch()
  const { mutateAsync: addContact, isPending: isAdding } = useAddContact()
  const { mutateAsync: open, isPending: isOpening } = useOpenConversation()
  const phone = parsePhone(typed)
  const isKnown = phone !== undefined && contacts.some((contact) => contact.phone === phone.e164)
  const options = [
    ...contacts.map(contactChoice),
    ...(phone && !isKnown ? [{ value: typedPrefix + phone.e164, label: `New contact · ${phone.international}` }] : []),
  ]

  async function submit() {
    if (!chosen) return setProblem('Choose a contact, or type a phone number with its country code.')
    try {
      const typedPhone = chosen.startsWith(typedPrefix) ? chosen.slice(typedPrefix.length) : undefined
      const contactId = typedPhone ? (await addContact(typedPhone)).id : chosen
      const conversation = await open({ contactId, ...(numberId && { numberId }) })
      const isFree = conversation.windowExpiresAt !== undefined && Date.parse(conversation.windowExpiresAt) > Date.now()
      change(
        { new: undefined, id: conversation.id, ...(!isFree && { dialog: 'template' as const }) },
        { replace: true },
      )
    } catch (error) {
      setProblem(explain(error, 'The conversation could not be opened. Try again.'))
    }
  }

  return (
    <FormDialog
      open
      title="New conversation"
      lead="Outside the 24 hours after a customer’s message WhatsApp allows approved templates only."
      submitLabel="Open conversation"
      pending={isAdding || isOpening}
      width={480}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div className={styles['field']}>
        <label htmlFor={id}>Contact or phone number</label>
        <Select
          id={id}
          autoFocus
          {...search}
          {...(chosen && { value: chosen })}
          placeholder="Name, or +91 98765 43210"
          notFoundContent={
            search.loading
              ? 'Searching…'
              : 'No contact matches. Type a phone number with its country code to write to a new one.'
          }
          options={options}
          onChange={(value: string) => {
            setChosen(value)
            setProblem(undefined)
          }}
          aria-invalid={problem !== undefined || undefined}
          {...(problem && { status: 'error' as const, 'aria-describedby': `${id}-problem` })}
        />
        {problem && (
          <p id={`${id}-problem`} className={styles['error']} role="alert">
            {problem}
          </p>
        )}
      </div>
      {numbers.length > 1 && (
        <div className={styles['field']}>
          <label htmlFor={`${id}-from`}>From</label>
          <Select
            id={`${id}-from`}
            allowClear
            {...(numberId && { value: numberId })}
            placeholder="Latest used, or the default number"
            options={numbers.map(({ id: value, displayName, phoneNumber }) => ({
              value,
              label: `${displayName} · ${writtenPhone(phoneNumber)}`,
            }))}
            onChange={setNumberId}
            getPopupContainer={popupInside}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** Adds a contact that is known by its number only, which stands in place of a name. */
function useAddContact() {
  const client = useQueryClient()
  return useChange({
    run: (phone: string, intent) => call(contactsApi.create, { body: { name: writtenPhone(phone), phone }, ...intent }),
    onSettled: () => client.invalidateQueries({ queryKey: contactKeys.all }),
  })
}
