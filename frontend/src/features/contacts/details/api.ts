import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { contactKeys } from '../../../lib/query-keys.ts'

/** Maximum conversations: more than a workspace has numbers. */
const shownConversations = 50

/** The conversations with a contact, one for each number that they have written to; the latest first. */
export const conversationsWithOptions = (contact: string) =>
  queryOptions({
    queryKey: contactKeys.conversations(contact),
    queryFn: async ({ signal }) =>
      (await call(conversationsApi.list, { query: { contact, limit: shownConversations }, signal })).items,
  })
