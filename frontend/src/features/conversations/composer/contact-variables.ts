import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { writtenPhone } from '@parley/phone'
import { contactVariables } from '@parley/rules/contact-variables'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { contactKeys } from '../../../lib/query-keys.ts'

/** Returns the values that every contact has. */
export const contactValues = (contact: Conversation['contact']): Record<string, string> =>
  contactVariables(contact, writtenPhone)

/** The contact with what the workspace stores of it beside that. */
export const contactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: ({ signal }) => call(contactsApi.read, { params: { id }, signal }),
  })
