import { conversationsApi } from '@parley/contracts/conversations'
import { queryOptions } from '@tanstack/react-query'
import { call } from './sample.ts'

/** The conversation with a contact, null before the first. */
export const conversationWithOptions = (contact: string) =>
  queryOptions({
    queryKey: ['contacts', 'conversation', contact],
    queryFn: async ({ signal }) =>
      (await call(conversationsApi.list, { query: { contact, limit: 1 }, signal })).items[0] ?? null,
    networkMode: 'always',
  })
