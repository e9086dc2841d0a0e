import type { Audience } from '@parley/contracts/campaign-fields'
import { recipientsApi } from '@parley/contracts/campaign-recipients'
import { type Contact, contactsApi } from '@parley/contracts/contacts'
import { segmentsApi } from '@parley/contracts/segments'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { numberChoices } from '../../lib/choices/numbers.ts'
import { choiceStaleMs } from '../../lib/choices/stale.ts'
import { choiceKeys } from '../../lib/query-keys.ts'

/** What a new broadcast chooses from, beside the choices that other screens share. */
export const segmentChoices = () =>
  queryOptions({
    queryKey: choiceKeys.segments,
    queryFn: async ({ signal }) => (await call(segmentsApi.list, { signal })).items,
    staleTime: choiceStaleMs,
  })

/** Numbers that can send, the default one first. */
export const sendingNumberChoices = () =>
  queryOptions({ ...numberChoices(), select: (numbers) => numbers.filter(({ status }) => status === 'active') })

const shownContacts = 10
/** Rows among which those are whom a campaign has missed. */
const outcomesNear = {
  failed: 'failed',
  not_delivered: 'sent',
  not_read: 'delivered',
  not_replied: 'delivered',
} as const

/** A few contacts that the audience reaches, to see the message with their values. */
export const exampleContacts = (audience: Audience | undefined) =>
  queryOptions({
    queryKey: choiceKeys.reached(audience),
    queryFn: async ({ signal }) => {
      const isReached = ({ blocked, optIn }: Contact) => !blocked && optIn.marketing !== 'out'
      if (audience?.kind === 'contacts') {
        const ids = audience.contactIds.slice(0, shownContacts)
        const read = ids.map((id) => call(contactsApi.read, { params: { id }, signal }))
        return (await Promise.all(read)).filter(isReached)
      }
      if (audience?.kind === 'campaign') {
        const params = { id: audience.campaignId }
        const outcome = outcomesNear[audience.missed]
        const { items } = await call(recipientsApi.list, { params, query: { outcome, limit: shownContacts }, signal })
        const read = items
          .filter(({ known }) => known)
          .map(({ contactId: id }) => call(contactsApi.read, { params: { id }, signal }))
        return (await Promise.all(read)).filter(isReached)
      }
      const filter =
        audience?.kind === 'tags' ? { tags: audience.tags } : { segment: audience?.segmentId, tags: undefined }
      return (await call(contactsApi.list, { query: { ...filter, limit: shownContacts }, signal })).items.filter(
        isReached,
      )
    },
    enabled: audience !== undefined,
    staleTime: choiceStaleMs,
  })
