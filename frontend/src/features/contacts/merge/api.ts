import {
  contactMergeApi,
  type MergePairs,
  type SuggestedMerge,
  type Taken,
} from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { receiveJob } from '../../../lib/contact-jobs.ts'
import { contactKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { contactRecords, useContactsRead } from '../api.ts'

/** Contacts that were merged into one, the latest first. */
export const mergedOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.merged(id),
    queryFn: async ({ signal }) => (await call(contactMergeApi.merged, { params: { id }, signal })).items,
  })

/** Query of other contacts who may be the same person, the surest first. */
export const duplicatesOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.duplicates(id),
    queryFn: async ({ signal }) => (await call(contactMergeApi.duplicates, { params: { id }, signal })).items,
  })

/** Pages of contacts that are looked through before a person is asked whether to go on. */
const pagesAtOnce = 10

/** Pairs of contacts that may be one person, by name; looked for until some are found. */
export const suggestedMergesOptions = () =>
  infiniteQueryOptions({
    queryKey: contactKeys.suggestedMerges,
    queryFn: async ({ pageParam, signal }) => {
      let after = pageParam
      const items: SuggestedMerge[] = []
      for (let page = 0; page < pagesAtOnce && items.length === 0 && after !== null; page += 1) {
        const query = after === '' ? {} : { after }
        const found = await call(contactMergeApi.suggestions, { query, signal })
        items.push(...found.items)
        after = found.next
      }
      return { items, next: after }
    },
    initialPageParam: '' as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Merges pairs of contacts in the background. */
export function useMergeMany() {
  const client = useQueryClient()
  return useChange({
    run: (pairs: MergePairs, intent) => call(contactMergeApi.mergeMany, { body: { pairs }, ...intent }),
    onSuccess: (job) => receiveJob(client, job),
  })
}

/** Merges another contact into one, both as they were shown. */
export function useMerge() {
  const client = useQueryClient()
  const readAgain = useContactsRead()
  return useChange({
    run: ({ kept, other, taken }: { kept: Contact; other: Contact; taken: Taken }, intent) =>
      call(contactMergeApi.merge, {
        params: { id: kept.id },
        body: { otherId: other.id, taken, version: kept.version, otherVersion: other.version },
        ...intent,
      }),
    onSuccess: (contact) => contactRecords.receive(client, contact),
    onSettled: readAgain,
  })
}

/** Makes two of a contact again. */
export function useUnmerge() {
  const client = useQueryClient()
  const readAgain = useContactsRead()
  return useChange({
    run: ({ id, otherId }: { id: string; otherId: string }, intent) =>
      call(contactMergeApi.undo, { params: { id }, body: { otherId }, ...intent }),
    onSuccess: (contact) => contactRecords.receive(client, contact),
    onSettled: readAgain,
  })
}
