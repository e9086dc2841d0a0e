import { type Contact, type ContactQuery, contactsApi, type NewContact } from '@parley/contracts/contacts'
import type { EndpointRequest } from '@parley/contracts/endpoint'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { campaignKeys, choiceKeys, contactKeys, conversationKeys } from '../../lib/query-keys.ts'

export type ContactFilter = Pick<ContactQuery, 'q' | 'segment' | 'tags' | 'lastContact'>
export type Selection = EndpointRequest<typeof contactsApi.bulk>['body']['selection']
export type BulkAction = EndpointRequest<typeof contactsApi.bulk>['body']['action']

/** Most ids that one call takes. */
const idsPerCall = 1000

export const contactListOptions = (query: ContactQuery) =>
  queryOptions({
    queryKey: contactKeys.list(query),
    queryFn: ({ signal }) => call(contactsApi.list, { query, signal }),
    placeholderData: keepPreviousData,
  })

export const contactOptions = (id: string) =>
  queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: ({ signal }) => call(contactsApi.read, { params: { id }, signal }),
  })

export const segmentOptions = () =>
  queryOptions({
    queryKey: contactKeys.segments,
    queryFn: async () => (await call(contactsApi.segments)).items,
  })

/** Contacts stand in the inbox and in audiences too: each of those reads again when it is next seen. */
const invalidateContacts = (client: QueryClient) =>
  Promise.all(
    [contactKeys.all, conversationKeys.all, campaignKeys.all, choiceKeys.all].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

type ContactFields = Omit<NewContact, 'phone'> & { phone?: string }

/** Adds a contact, or changes one. */
export function useSaveContact() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      contact,
      fields: { phone = '', ...fields },
    }: {
      contact: Contact | undefined
      fields: ContactFields
    }) =>
      contact
        ? call(contactsApi.update, {
            params: { id: contact.id },
            body: { ...fields, ...(phone && { phone }), version: contact.version },
          })
        : call(contactsApi.create, { body: { ...fields, phone } }),
    onSuccess: () => invalidateContacts(client),
  })
}

/** The contact with this phone number, if there is one. */
export async function findByPhone(phone: string): Promise<Contact | undefined> {
  const { items } = await call(contactsApi.list, { query: { q: phone, limit: 10 } })
  return items.find((contact) => contact.phone === phone)
}

/** Splits a selection into calls that each take at most 1,000 ids. */
export function callsOf(selection: Selection): Selection[] {
  if (!('ids' in selection)) return [selection]
  const { ids } = selection
  return Array.from({ length: Math.ceil(ids.length / idsPerCall) }, (_, index) => ({
    ids: ids.slice(index * idsPerCall, (index + 1) * idsPerCall),
  }))
}

/** @returns the ids of the contacts that the change touched. */
export async function changeMany(selection: Selection, action: BulkAction): Promise<string[]> {
  const touched: string[][] = []
  for (const part of callsOf(selection))
    touched.push((await call(contactsApi.bulk, { body: { selection: part, action } })).ids)
  return touched.flat()
}

/** Tags, deletes or restores many at once; the rows in view show it before the answer is there. */
export function useChangeMany() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ selection, action }: { selection: Selection; action: BulkAction }) => changeMany(selection, action),
    onMutate: async ({ selection, action }) => {
      await client.cancelQueries({ queryKey: contactKeys.lists })
      const before = client.getQueriesData({ queryKey: contactKeys.lists })
      const change = preview(selection, action)
      client.setQueriesData<{ items: Contact[] }>({ queryKey: contactKeys.lists }, (page) =>
        page ? { ...page, items: page.items.flatMap(change) } : page,
      )
      return { before }
    },
    onError: (_error, _change, context) => {
      for (const [key, page] of context?.before ?? []) client.setQueryData(key, page)
    },
    onSettled: () => invalidateContacts(client),
  })
}

/** What a change makes of a contact in view. */
function preview(selection: Selection, action: BulkAction): (contact: Contact) => Contact[] {
  const ids = 'ids' in selection ? new Set(selection.ids) : undefined
  return (contact) => {
    if (ids && !ids.has(contact.id)) return [contact]
    if (action.kind === 'delete') return []
    if (action.kind === 'restore') return [contact]
    const tags = contact.tags.filter((tag) => tag !== action.tag)
    return [{ ...contact, tags: action.kind === 'add_tag' ? [...tags, action.tag] : tags }]
  }
}

/** One batch of an import. */
export const importRows = (body: EndpointRequest<typeof contactsApi.importRows>['body']) =>
  call(contactsApi.importRows, { body })

/** One page of an export. */
export const readExportPage = (selection: Selection, cursor: string | undefined, signal: AbortSignal) =>
  call(contactsApi.exportPage, { body: { selection, ...(cursor && { cursor }) }, signal })

/** Brings every screen up to date after an import. */
export function useContactsChanged(): () => void {
  const client = useQueryClient()
  return () => void invalidateContacts(client)
}
