import type { Audience } from '@parley/contracts/campaigns'
import { type Contact, contactsApi } from '@parley/contracts/contacts'
import { numbersApi } from '@parley/contracts/numbers'
import { templatesApi } from '@parley/contracts/templates'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from './sample.ts'

/**
 * What a new broadcast chooses from. These records are other screens' too, so they are read anew each time, under keys
 * that those screens' changes invalidate.
 */
const fresh = { staleTime: 0, networkMode: 'always' } as const

export const segmentChoices = () =>
  queryOptions({
    queryKey: ['contacts', 'campaign-segments'],
    queryFn: async ({ signal }) => (await call(contactsApi.segments, { signal })).items,
    ...fresh,
  })

export const tagChoices = () =>
  queryOptions({
    queryKey: ['contacts', 'campaign-tags'],
    queryFn: async ({ signal }) => (await call(contactsApi.tags, { signal })).items,
    ...fresh,
  })

export const contactChoices = (q: string) =>
  queryOptions({
    queryKey: ['contacts', 'campaign-search', q],
    queryFn: async ({ signal }) =>
      (await call(contactsApi.list, { query: { ...(q && { q }), tags: undefined, limit: 20 }, signal })).items,
    placeholderData: keepPreviousData,
    ...fresh,
  })

/** Numbers that can send, the default one first. */
export const numberChoices = () =>
  queryOptions({
    queryKey: ['numbers', 'campaign-choices'],
    queryFn: async ({ signal }) =>
      (await call(numbersApi.list, { query: { limit: 100 }, signal })).items
        .filter(({ status }) => status === 'active')
        .sort((left, right) => Number(right.isDefault) - Number(left.isDefault)),
    ...fresh,
  })

/** Templates that can be sent. */
export const templateChoices = () =>
  queryOptions({
    queryKey: ['templates', 'campaign-choices'],
    queryFn: async ({ signal }) =>
      (
        await call(templatesApi.list, {
          query: { status: ['approved'], category: undefined, language: undefined, limit: 100 },
          signal,
        })
      ).items,
    ...fresh,
  })

export const templateOf = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: ({ signal }) => call(templatesApi.read, { params: { id }, signal }),
    networkMode: 'always',
  })

const shownContacts = 10

/** A few contacts that the audience reaches, to see the message with their values. */
export const exampleContacts = (audience: Audience | undefined) =>
  queryOptions({
    queryKey: ['contacts', 'campaign-examples', audience],
    queryFn: async ({ signal }) => {
      const isReached = ({ blocked, optIn }: Contact) => !blocked && optIn.marketing !== 'out'
      if (audience?.kind === 'contacts') {
        const ids = audience.contactIds.slice(0, shownContacts)
        const read = ids.map((id) => call(contactsApi.read, { params: { id }, signal }))
        return (await Promise.all(read)).filter(isReached)
      }
      const filter =
        audience?.kind === 'tags' ? { tags: audience.tags } : { segment: audience?.segmentId, tags: undefined }
      return (await call(contactsApi.list, { query: { ...filter, limit: shownContacts }, signal })).items.filter(
        isReached,
      )
    },
    enabled: audience !== undefined,
    ...fresh,
  })
