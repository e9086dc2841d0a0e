import type { Contact, contactsApi, Segment, Tag } from '@parley/contracts/contacts'
import type { EndpointInput } from '@parley/contracts/endpoint'
import type { PageOf } from '@parley/contracts/records'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactCountsService } from './contact-counts.service.ts'
import { toContact } from './contact-fields.ts'
import { type ContactFilter, type ContactPart, partsOf } from './contact-query.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import { segments } from './segments.ts'
import type { TagsRepository } from './tags.repository.ts'

type ListQuery = EndpointInput<typeof contactsApi.list>['query']
type ExportRequest = EndpointInput<typeof contactsApi.exportPage>['body']
type Selection = ExportRequest['selection']

export type ContactListsService = ReturnType<typeof createContactListsService>

/** Contacts as people look for them. */
export function createContactListsService({
  contacts,
  tags,
  counts,
  now = () => new Date(),
}: {
  contacts: ContactsRepository
  tags: TagsRepository
  counts: ContactCountsService
  now?: () => Date
}) {
  /** @throws `validation_failed` for a segment that does not exist. */
  function partsFor({ segment, ...filter }: ContactFilter & { segment?: string | undefined }): ContactPart[] {
    if (segment === undefined) return partsOf(filter, now())
    const known = segments.find(({ id }) => id === segment)
    if (!known) throw errors.validation({ segment: 'There is no such segment.' })
    return [...partsOf(filter, now()), ...(known.part ? [known.part(now())] : [])]
  }

  /** The parts of the filter that a selection is. */
  const partsOfSelection = (selection: Selection): ContactPart[] =>
    'filter' in selection
      ? partsFor(selection.filter)
      : [{ index: '_id_', filter: { _id: { $in: selection.ids.filter(isId) } } }]

  async function list(scope: WorkspaceScope, query: ListQuery): Promise<PageOf<Contact>> {
    const { sort = 'last_contact', limit, cursor, ...filter } = query
    const parts = partsFor(filter)
    const total = parts.length === 0 ? () => counts.ofAll(scope) : undefined
    const page = await contacts.list(scope, { parts, sort, query: filter, limit, cursor, total })
    return { ...page, items: page.items.map(toContact) }
  }

  async function read(scope: WorkspaceScope, id: string): Promise<Contact> {
    const record = await contacts.readLive(scope, id)
    if (!record) throw errors.notFound('There is no such contact.')
    return toContact(record)
  }

  async function countedSegments(scope: WorkspaceScope): Promise<Segment[]> {
    const counted = await counts.ofSegments(scope)
    return segments.map(({ part: _part, ...segment }) => ({ ...segment, count: counted.get(segment.id) ?? 0 }))
  }

  /** Tags that at least one contact carries, the oldest first. */
  async function countedTags(scope: WorkspaceScope): Promise<Tag[]> {
    const [known, counted] = await Promise.all([tags.list(scope), counts.ofTags(scope)])
    return known.flatMap(({ name, colour }) => {
      const carriers = counted.get(name) ?? 0
      return carriers > 0 ? [{ name, colour, contacts: carriers }] : []
    })
  }

  async function exportPage(scope: WorkspaceScope, { selection, limit, cursor }: ExportRequest) {
    const parts = partsOfSelection(selection)
    const page = await contacts.list(scope, { parts, sort: 'last_contact', query: selection, limit, cursor })
    return { items: page.items.map(toContact), nextCursor: page.nextCursor, total: page.total }
  }

  return { list, read, segments: countedSegments, tags: countedTags, exportPage, partsOfSelection }
}
