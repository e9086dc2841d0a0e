import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { contactChoice, contactChoices } from '../lib/choices/contacts.ts'
import { popupInside } from './popup-inside.ts'

/** Search of contacts by name or number, with the properties of a Select that shows it. */
export function useContactSearch() {
  const [typed, setTyped] = useState('')
  const { data: contacts = [], isFetching } = useQuery(contactChoices(useDeferredValue(typed.trim().slice(0, 100))))
  const search = {
    showSearch: { filterOption: false, onSearch: setTyped },
    loading: isFetching,
    notFoundContent: isFetching ? 'Searching…' : 'No contacts match',
    getPopupContainer: popupInside,
  } as const
  return { typed, contacts, search }
}

/** One contact, found by name or number. */
export function ContactSelect({
  value,
  except,
  ...field
}: {
  id: string
  value: string | undefined
  /** Contact that cannot be chosen. */
  except?: string | undefined
  onChange: (id: string) => void
  status?: 'error'
}) {
  const { contacts, search } = useContactSearch()
  return (
    <Select
      {...field}
      {...search}
      {...(value && { value })}
      placeholder="Name or phone number"
      options={contacts.filter(({ id }) => id !== except).map(contactChoice)}
    />
  )
}

export interface ChosenContact {
  value: string
  label: string
}

/** Several contacts, found by name or number. */
export function ContactsSelect({
  onChange,
  ...field
}: {
  id: string
  value: ChosenContact[]
  /** Maximum number of contacts. */
  maxCount?: number
  onChange: (chosen: ChosenContact[]) => void
  status?: 'error'
}) {
  const { contacts, search } = useContactSearch()
  return (
    <Select
      {...field}
      {...search}
      mode="multiple"
      labelInValue
      placeholder="Search contacts"
      options={contacts.map(contactChoice)}
      onChange={(chosen: { value: string; label?: unknown }[]) =>
        onChange(chosen.map(({ value, label }) => ({ value, label: String(label ?? value) })))
      }
    />
  )
}
