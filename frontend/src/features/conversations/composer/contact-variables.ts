import { contactsApi } from '@parley/contracts/contacts/contacts'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { writtenPhone } from '@parley/phone'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { contactKeys } from '../../../lib/query-keys.ts'

/** Returns the values that every contact has. */
export function contactValues({ name, phone, username }: Conversation['contact']): Record<string, string> {
  return {
    name,
    first_name: name.trim().split(/\s+/)[0] ?? '',
    ...(phone && { phone: writtenPhone(phone) }),
    ...(username && { username }),
  }
}

/** The contact with what the workspace stores of it beside that. */
export const contactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: ({ signal }) => call(contactsApi.read, { params: { id }, signal }),
  })
