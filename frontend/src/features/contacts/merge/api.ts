import { contactMergeApi, type Taken } from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
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
