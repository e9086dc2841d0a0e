import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact, ContactQuery } from '@parley/contracts/contacts/contacts'
import { importRowsApi } from '@parley/contracts/contacts/import-rows'
import { importsApi } from '@parley/contracts/contacts/imports'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { choiceLimit, choiceStaleMs } from '../../lib/choices/stale.ts'
import { choiceKeys, importKeys } from '../../lib/query-keys.ts'

/** Imports whose people are still known, the latest first. */
export const importChoices = () =>
  queryOptions({
    queryKey: importKeys.choices,
    queryFn: async ({ signal }) => {
      const { items } = await call(importsApi.list, { query: { limit: choiceLimit }, signal })
      return items.flatMap(({ id, fileName, createdAt, counts, state, undone, keptUntil }) => {
        const people = counts.created + counts.updated
        const hasEnded = state === 'done' || state === 'stopped' || state === 'failed'
        const isKnown = hasEnded && !undone && keptUntil !== null && Date.parse(keptUntil) > Date.now()
        return isKnown && people > 0 ? [{ id, fileName, createdAt, people }] : []
      })
    },
    staleTime: choiceStaleMs,
  })

const shownContacts = 10
/** A filter takes no more. */
const maxConditions = 50
/** Rows among which those are whom a campaign has missed. */
const outcomesNear = {
  failed: 'failed',
  not_delivered: 'sent',
  not_read: 'delivered',
  not_replied: 'delivered',
  not_confirmed: 'uncertain',
} as const

/** A few contacts that the audience reaches, to see the message with their values. */
export const exampleContacts = (audience: Audience | undefined) =>
  queryOptions({
    queryKey: choiceKeys.reached(audience),
    queryFn: async ({ signal }) => {
      const isReached = ({ blocked, optIn, tags }: Contact) =>
        !blocked && optIn.marketing !== 'out' && !tags.some((tag) => audience?.exclude?.tags.includes(tag))
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
      if (audience?.kind === 'import') return (await peopleOf(audience.importId, signal)).filter(isReached)
      const filter = {
        ...(audience?.kind === 'segment' && { segment: audience.segmentId }),
        tags: audience?.kind === 'tags' && audience.match !== 'all' ? audience.tags : undefined,
        ...(audience && conditionsOf(audience)),
      }
      return (await call(contactsApi.list, { query: { ...filter, limit: shownContacts }, signal })).items.filter(
        isReached,
      )
    },
    enabled: audience !== undefined,
    staleTime: choiceStaleMs,
  })

/** Tags that people need all of, and those that they must not have. */
function conditionsOf(audience: Audience): Pick<ContactQuery, 'conditions'> {
  const needed = audience.kind === 'tags' && audience.match === 'all' ? audience.tags : []
  const conditions = [
    ...needed.map((value) => ({ field: 'tags', comparison: 'contains' as const, value })),
    ...(audience.exclude?.tags ?? []).map((value) => ({ field: 'tags', comparison: 'not_contains' as const, value })),
  ]
  return conditions.length > 0 ? { conditions: { match: 'all', conditions: conditions.slice(0, maxConditions) } } : {}
}

/** Returns contacts that an import has added, else those it has changed. */
async function peopleOf(id: string, signal: AbortSignal): Promise<Contact[]> {
  for (const outcome of ['created', 'updated'] as const) {
    const { items } = await call(importRowsApi.list, {
      params: { id },
      query: { outcome, limit: shownContacts },
      signal,
    })
    const ids = items.flatMap(({ contactId }) => contactId ?? [])
    // Some may have been deleted since.
    const read = ids.map((contactId) => call(contactsApi.read, { params: { id: contactId }, signal }))
    const found = (await Promise.allSettled(read)).flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    )
    if (found.length > 0) return found
  }
  return []
}
