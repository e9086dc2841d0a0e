import { contactsApi } from '@parley/contracts/contacts'
import type { Conversation } from '@parley/contracts/conversations'
import { parsePhone } from '@parley/phone'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { contactKeys } from '../../lib/query-keys.ts'

/** What every contact has a value of. */
export function contactValues({ name, phone, username }: Conversation['contact']): Record<string, string> {
  return {
    name,
    first_name: name.trim().split(/\s+/)[0] ?? '',
    ...(phone && { phone: parsePhone(phone)?.international ?? phone }),
    ...(username && { username }),
  }
}

export const variableLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  first_name: 'First name',
  phone: 'Phone number',
  username: 'Username',
}

/** The contact with what the workspace stores of it beside that. */
export const contactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: ({ signal }) => call(contactsApi.read, { params: { id }, signal }),
  })
