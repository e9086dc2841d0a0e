import { conversationsApi } from '@parley/contracts/conversations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { contactKeys } from '../../../lib/query-keys.ts'

/** The conversation with a contact, null before the first. */
export const conversationWithOptions = (contact: string) =>
  queryOptions({
    queryKey: contactKeys.conversation(contact),
    queryFn: async ({ signal }) =>
      (await call(conversationsApi.list, { query: { contact, limit: 1 }, signal })).items[0] ?? null,
  })
