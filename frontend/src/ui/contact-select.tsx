import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { contactChoice, contactChoices } from '../lib/choices/contacts.ts'
import { popupInside } from './popup-inside.ts'

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
  const [typed, setTyped] = useState('')
  const { data = [], isFetching } = useQuery(contactChoices(useDeferredValue(typed.trim().slice(0, 100))))
  return (
    <Select
      {...field}
      {...(value && { value })}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      placeholder="Name or phone number"
      loading={isFetching}
      notFoundContent={isFetching ? 'Searching…' : 'No contacts match'}
      options={data.filter(({ id }) => id !== except).map(contactChoice)}
      getPopupContainer={popupInside}
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
  const [typed, setTyped] = useState('')
  const { data = [], isFetching } = useQuery(contactChoices(useDeferredValue(typed.trim().slice(0, 100))))
  return (
    <Select
      {...field}
      mode="multiple"
      labelInValue
      loading={isFetching}
      placeholder="Search contacts"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      notFoundContent={isFetching ? 'Searching…' : 'No contacts match'}
      options={data.map(contactChoice)}
      onChange={(chosen: { value: string; label?: unknown }[]) =>
        onChange(chosen.map(({ value, label }) => ({ value, label: String(label ?? value) })))
      }
      getPopupContainer={popupInside}
    />
  )
}
