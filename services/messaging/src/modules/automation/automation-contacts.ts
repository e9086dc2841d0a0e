import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { toContact } from '../contacts/contact-fields.ts'
import type { ContactListsService } from '../contacts/contact-lists.service.ts'
import type { ContactsRepository } from '../contacts/contacts.service.ts'
import { canBeReached } from './event-facts.ts'

type Asked = EndpointInput<typeof messagingInternalApi.contacts>['body']['of']
type Answer = EndpointResponse<typeof messagingInternalApi.contacts>

/** Reads the contacts for whom automation starts something. */
export const createAutomationContacts =
  ({
    lists,
    contacts,
  }: {
    readonly lists: Pick<ContactListsService, 'partsOfSelection'>
    readonly contacts: Pick<ContactsRepository, 'count' | 'idsAfter' | 'readMany'>
  }) =>
  /** @throws `not_found` for a segment that does not exist. */
  async (scope: WorkspaceScope, asked: Asked): Promise<Answer> => {
    if ('ids' in asked) return read(scope, asked.ids)
    const { segmentId, after, upTo, limit, count } = asked
    const parts = await lists.partsOfSelection(scope, { filter: { segment: segmentId } })
    const total = count ? ((await contacts.count(scope, parts)) ?? 0) : undefined
    const found = await read(scope, await contacts.idsAfter(scope, { parts, after, upTo, limit }))
    return { ...found, ...(total !== undefined && { total }) }

    async function read(of: WorkspaceScope, ids: readonly string[]): Promise<Answer> {
      const known = ids.filter(isId)
      const records = known.length > 0 ? await contacts.readMany(of, known) : []
      return { ids: [...ids], items: records.filter(canBeReached).map(toContact) }
    }
  }
