import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { writtenPhone } from '@parley/phone'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceStaleMs } from './stale.ts'

/** The first contacts that a search finds. */
export const contactChoices = (q: string) =>
  queryOptions({
    queryKey: choiceKeys.contacts(q),
    queryFn: async ({ signal }) =>
      (await call(contactsApi.list, { query: { ...(q && { q }), tags: undefined, limit: 20 }, signal })).items,
    placeholderData: keepPreviousData,
    staleTime: choiceStaleMs,
  })

/** A contact as something to choose: name and number. */
export const contactChoice = ({ id, name, phone }: Contact): { value: string; label: string } => ({
  value: id,
  label: phone ? `${name} · ${writtenPhone(phone)}` : name,
})
