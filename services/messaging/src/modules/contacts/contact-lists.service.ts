import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { contactConditionsSchema } from '@parley/contracts/contacts/contact-fields'
import type { Contact, ContactPage, contactSelectionSchema } from '@parley/contracts/contacts/contacts'
import type { Tag } from '@parley/contracts/contacts/tags'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { SortKey } from '@parley/service-kit/data/page-cursor'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { z } from 'zod'
import type { ConditionParts } from './condition-parts.ts'
import type { ContactCountsService } from './contact-counts.service.ts'
import { toContact } from './contact-fields.ts'
import { type ContactPart, partOfIds, partsOf } from './contact-query.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import type { ImportsRepository } from './imports/imports.repository.ts'
import type { SegmentsService } from './segments/segments.service.ts'
import type { TagsRepository } from './tags/tags.repository.ts'

type ListQuery = EndpointInput<typeof contactsApi.list>['query']
type Selection = z.infer<typeof contactSelectionSchema>
type Filter = Omit<ListQuery, 'sort' | 'limit' | 'cursor'>

export type ContactListsService = ReturnType<typeof createContactListsService>

/** Contacts as people look for them. */
export function createContactListsService({
  contacts,
  tags,
  counts,
  segments: { filterOf },
  imports,
  conditionParts,
  now = () => new Date(),
}: {
  contacts: ContactsRepository
  tags: TagsRepository
  counts: ContactCountsService
  segments: Pick<SegmentsService, 'filterOf'>
  imports: Pick<ImportsRepository, 'read'>
  conditionParts: ConditionParts
  now?: Clock
}) {
  /** @throws `not_found` for a segment or an import that does not exist. */
  async function partsFor(scope: WorkspaceScope, { segment, conditions, ...filter }: Filter): Promise<ContactPart[]> {
    if (filter.import !== undefined && !(await imports.read(scope, filter.import)))
      throw errors.notFound('There is no such import.')
    const groups = [segment === undefined ? undefined : await filterOf(scope, segment), checked(conditions)]
    const parts = groups.map((group) => (group ? conditionParts(scope, group) : []))
    return [...partsOf(filter, now()), ...(await Promise.all(parts)).flat()]
  }

  /** The parts of the filter that a selection is. */
  const partsOfSelection = async (scope: WorkspaceScope, selection: Selection): Promise<ContactPart[]> =>
    'filter' in selection ? partsFor(scope, selection.filter) : [partOfIds(selection.ids.filter(isId))]

  async function list(scope: WorkspaceScope, query: ListQuery): Promise<ContactPage> {
    const { sort = 'last_contact', limit, cursor, ...filter } = query
    const parts = await partsFor(scope, filter)
    const countAll = () => counts.ofAll(scope)
    const { searchedTo, ...page } = await contacts.list(scope, { parts, sort, query: filter, limit, cursor, countAll })
    const items = page.items.map(toContact)
    return { ...page, items, ...(searchedTo !== undefined && { searchedTo: shownPlace(sort, searchedTo) }) }
  }

  /** Returns a contact; for a merged one, the contact that it was merged into. @throws `not_found`. */
  async function find(scope: WorkspaceScope, id: string): Promise<ContactRecord> {
    const record = await contacts.read(scope, id)
    if (record?.merged) return find(scope, record.merged.id)
    if (!record?.live) throw errors.notFound('There is no such contact.')
    return record
  }
  const read = async (scope: WorkspaceScope, id: string): Promise<Contact> => toContact(await find(scope, id))

  /** @throws `not_found` also for one without a number: it has given that up to another contact. */
  async function readDeleted(scope: WorkspaceScope, id: string): Promise<Contact> {
    const record = isId(id) ? await contacts.read(scope, id) : null
    const { live = true, deletedAt, merged, phone, waUserId } = record ?? {}
    if (!record || live || !deletedAt || merged || (phone === undefined && waUserId === undefined))
      throw errors.notFound('There is no such contact.')
    return { ...toContact(record), deletedAt: deletedAt.toISOString() }
  }

  /** Tags that at least one contact carries, the oldest first. */
  async function countedTags(scope: WorkspaceScope): Promise<Tag[]> {
    const [known, counted] = await Promise.all([tags.list(scope), counts.ofTags(scope)])
    return known.flatMap(({ name, colour }) => {
      const carriers = counted.get(name) ?? 0
      return carriers > 0 ? [{ name, colour, contacts: carriers }] : []
    })
  }

  return { list, find, read, readDeleted, tags: countedTags, partsOfSelection }
}

/** @throws `validation_failed` for fields and comparisons that contacts do not have. */
function checked(conditions: ConditionGroup | undefined): ConditionGroup | undefined {
  const { error } = contactConditionsSchema.optional().safeParse(conditions)
  const [issue] = error?.issues ?? []
  if (issue) throw errors.validation({ [['conditions', ...issue.path].join('.')]: issue.message })
  return conditions
}

/** A position in a list in terms of people: a moment (none for contacts who were never in touch) or a name. */
function shownPlace(sort: NonNullable<ListQuery['sort']>, key: SortKey): string | null {
  if (key instanceof Date) return key.toISOString()
  if (typeof key !== 'string') return null
  return sort === 'newest' ? new Date(Number.parseInt(key.slice(0, 8), 16) * 1000).toISOString() : key.slice(0, 100)
}
