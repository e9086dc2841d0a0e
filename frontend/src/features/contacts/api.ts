import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import type { Contact, ContactQuery, NewContact } from '@parley/contracts/contacts/contacts'
import { segmentsApi } from '@parley/contracts/contacts/segments'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { campaignKeys, choiceKeys, contactKeys, conversationKeys } from '../../lib/query-keys.ts'
import { createRecords, type Patch } from '../../lib/records.ts'
import { useChange } from '../../lib/use-change.ts'

export type ContactFilter = Pick<ContactQuery, 'q' | 'segment' | 'import' | 'tags' | 'lastContact' | 'conditions'>
export type Selection = EndpointRequest<typeof contactJobsApi.change>['body']['selection']
export type BulkAction = EndpointRequest<typeof contactsApi.bulk>['body']['action']

/** Maximum ids of one call. */
const idsPerCall = 1000

/** Contacts in the query cache: answers, changes under way and events meet here. */
export const contactRecords = createRecords<Contact>(contactKeys)

export const contactListOptions = (query: ContactQuery) =>
  queryOptions({
    queryKey: contactKeys.list(query),
    queryFn: async ({ signal, client }) =>
      contactRecords.readPage(client, await call(contactsApi.list, { query, signal })),
    placeholderData: keepPreviousData,
  })

/** Counts the contacts that a filter matches. */
export const matchCountOptions = (filter: ContactFilter) =>
  queryOptions({
    queryKey: contactKeys.matches(filter),
    queryFn: async ({ signal }) => {
      const { total, approximate } = await call(contactsApi.list, { query: { ...filter, limit: 1 }, signal })
      return { total, approximate: approximate === true }
    },
    placeholderData: keepPreviousData,
  })

export const contactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: async ({ signal, client }) => {
      const contact = await call(contactsApi.read, { params: { id }, signal })
      return contactRecords.read(client, contact) ?? contact
    },
  })

/** One that was deleted, as long as it can be restored. */
export const deletedContactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.deleted(id),
    queryFn: ({ signal }) => call(contactsApi.readDeleted, { params: { id }, signal }),
    retry: false,
  })

export const segmentOptions = () =>
  queryOptions({
    queryKey: contactKeys.segments,
    queryFn: async () => (await call(segmentsApi.list)).items,
    // In a large workspace a new segment is counted after the response.
    refetchInterval: ({ state: { data } }) => (data?.some(({ count }) => count === null) ? 3000 : false),
  })

/** Contacts stand in the inbox and in audiences too: each of those reads again when it is next seen. */
const invalidateContacts = (client: QueryClient) =>
  Promise.all(
    [contactKeys.all, conversationKeys.all, campaignKeys.all, choiceKeys.all].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** Adds a contact, or changes one as it was when the form opened. */
export function useSaveContact() {
  const client = useQueryClient()
  return useChange({
    run: ({ of, fields }: { of: Contact | undefined; fields: NewContact }, intent) =>
      of
        ? call(contactsApi.update, { params: { id: of.id }, body: { ...fields, version: of.version }, ...intent })
        : call(contactsApi.create, { body: fields, ...intent }),
    onSuccess: (contact) => {
      contactRecords.receive(client, contact)
      return invalidateContacts(client)
    },
  })
}

/** @returns the ids of the contacts that the change touched. */
async function changeMany(ids: readonly string[], action: BulkAction): Promise<string[]> {
  const touched: string[][] = []
  for (let start = 0; start < ids.length; start += idsPerCall)
    touched.push((await call(contactsApi.bulk, { body: { ids: ids.slice(start, start + idsPerCall), action } })).ids)
  return touched.flat()
}

/** Lists, counts, and whatever else shows contacts, are read again. */
export function useContactsRead() {
  const client = useQueryClient()
  return () => invalidateContacts(client)
}

/** Tags, deletes or restores some at once; the rows in view show it before the answer is there. */
export function useChangeMany() {
  const client = useQueryClient()
  return useChange({
    again: 'queued',
    scope: contactRecords.scopeOf('many'),
    run: ({ ids, action }: { ids: readonly string[]; action: BulkAction }) => changeMany(ids, action),
    onStart: ({ ids, action }) => {
      const patch = patchOf(action)
      const seen = patch ? seenOf(client, ids) : []
      return Promise.all(seen.map((id) => contactRecords.begin(client, id, patch ?? ((contact) => contact))))
    },
    onSuccess: (_ids, _change, ends) => {
      for (const end of ends) end('kept')
    },
    onError: (_error, _change, ends = []) => {
      for (const end of ends) end('failed')
    },
    onSettled: () => invalidateContacts(client),
  })
}

/** Returns those of the contacts that a cached list shows. */
function seenOf(client: QueryClient, ids: readonly string[]): string[] {
  const wanted = new Set(ids)
  const seen = client
    .getQueriesData<{ items: Contact[] }>({ queryKey: contactKeys.lists })
    .flatMap(([, page]) => page?.items.map(({ id }) => id) ?? [])
  return [...new Set(seen)].filter((id) => wanted.has(id))
}

/** Returns the patch for a contact in view; a restored one is in none. */
function patchOf(action: BulkAction): Patch<Contact> | undefined {
  if (action.kind === 'restore') return undefined
  if (action.kind === 'delete') return () => undefined
  return (contact) => {
    const tags = contact.tags.filter((tag) => tag !== action.tag)
    return { ...contact, tags: action.kind === 'add_tag' ? [...tags, action.tag] : tags }
  }
}
