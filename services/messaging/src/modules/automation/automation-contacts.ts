import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { AppError } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactChangesService } from '../contacts/contact-changes.service.ts'
import { toContact } from '../contacts/contact-fields.ts'
import type { ContactListsService } from '../contacts/contact-lists.service.ts'
import type { ContactsRepository, ContactsService } from '../contacts/contacts.service.ts'
import { canBeReached } from './event-facts.ts'

type Asked = EndpointInput<typeof messagingInternalApi.contacts>['body']['of']
type Answer = EndpointResponse<typeof messagingInternalApi.contacts>

/** Reads the contacts for whom automation starts something, and makes the one whom a call from outside names. */
export const createAutomationContacts =
  ({
    contactLists: lists,
    contactRecords: contacts,
    contacts: { find },
    contactChanges: { create },
  }: {
    readonly contacts: Pick<ContactsService, 'find'>
    readonly contactChanges: Pick<ContactChangesService, 'create'>
    readonly contactLists: Pick<ContactListsService, 'partsOfSelection'>
    readonly contactRecords: Pick<ContactsRepository, 'count' | 'idsAfter' | 'readMany'>
  }) =>
  /** @throws `not_found` for a segment that does not exist. */
  async (scope: WorkspaceScope, asked: Asked): Promise<Answer> => {
    if ('ids' in asked) return read(scope, asked.ids)
    if ('phone' in asked) return named(scope, asked)
    const { segmentId, after, upTo, limit, count } = asked
    const parts = await lists.partsOfSelection(scope, { filter: { segment: segmentId } })
    const total = count ? ((await contacts.count(scope, parts)) ?? 0) : undefined
    const found = await read(scope, await contacts.idsAfter(scope, { parts, after, upTo, limit }))
    return { ...found, ...(total !== undefined && { total }) }

    async function named(of: WorkspaceScope, { phone, create: fresh }: Extract<Asked, { phone: string }>) {
      const person = { phone, waUserId: undefined, name: undefined, username: undefined }
      const known = async () => {
        const id = (await find(of, [person]))(person)
        return read(of, id === undefined ? [] : [id])
      }
      const found = await known()
      if (found.items.length > 0 || !fresh) return found
      const name = fresh.name.trim() === '' ? phone : fresh.name.trim()
      const caller = { ...of, actor: { kind: 'system' as const } }
      try {
        const { id } = await create(caller, { name, phone, tags: [], attributes: {} })
        return await read(of, [id])
      } catch (error) {
        // Another call has made it meanwhile.
        if (error instanceof AppError && error.code === 'contact_exists') return known()
        throw error
      }
    }

    async function read(of: WorkspaceScope, ids: readonly string[]): Promise<Answer> {
      const known = ids.filter(isId)
      const records = known.length > 0 ? await contacts.readMany(of, known) : []
      return { ids: [...ids], items: records.filter(canBeReached).map(toContact) }
    }
  }
