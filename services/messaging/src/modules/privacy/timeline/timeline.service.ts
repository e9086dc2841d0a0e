import type { Permission } from '@parley/contracts/account/permissions'
import { type TimelineItem, type TimelinePage, timelinePageSize } from '@parley/contracts/contacts/contact-timeline'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { newestFirst, type Place, type TimeSlice } from '../../../platform/time-slice.ts'
import type { ContactListsService } from '../../contacts/contact-lists.service.ts'
import type { ContactRecord } from '../../contacts/contacts.service.ts'

/** Content of an item, of any kind. */
type Content<T = TimelineItem> = T extends unknown ? Omit<T, 'id' | 'at'> : never
/** An item of one source: its id is one of 24 hexadecimal digits. */
export interface Found extends Place {
  readonly content: Content
}

/** Source of timeline items. */
export interface Source {
  /** Begins the ids of its items. Of two at the same time, the one of the higher name is the later one. */
  readonly name: string
  readonly permission: Permission
  /** @param people contacts who are one. @returns the newest ones of the stretch, the newest first. */
  readonly read: (scope: WorkspaceScope, people: readonly ContactRecord[], stretch: TimeSlice) => Promise<Found[]>
}

interface Query {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Returns whether the caller has a permission: items of a source that needs another one are left out. */
  readonly may: (permission: Permission) => boolean
}

/**
 * Timeline of a contact. Each source answers with as many of its newest items as a page has, so that a page costs the same
 * however many there are.
 */
export function createTimeline({
  contactLists: { find },
  contacts: { allMerged },
  cursors,
  sources,
}: {
  contactLists: Pick<ContactListsService, 'find'>
  contacts: { readonly allMerged: (scope: WorkspaceScope, contactId: string) => Promise<ContactRecord[]> }
  cursors: PageCursors
  sources: readonly Source[]
}) {
  /** @throws `not_found`; `validation_failed` for a cursor of another contact. */
  return async function timeline(scope: WorkspaceScope, contactId: string, query: Query): Promise<TimelinePage> {
    const { limit = timelinePageSize, cursor, may } = query
    const contact = await find(scope, contactId)
    const boundTo = `timeline/${scope.workspaceId}/${contact.id}`
    const position = cursor === undefined ? undefined : placeAt(cursors.read(cursor, boundTo))
    const people = [contact, ...(await allMerged(scope, contact.id))]
    const found = await Promise.all(
      sources.map(async ({ name, permission, read }) => {
        if (!may(permission)) return []
        const items = await read(scope, people, { behind: placeIn(name, position), limit: limit + 1 })
        return items.map((item) => ({ ...item, id: `${name}-${item.id}` }))
      }),
    )
    const all = found.flat().toSorted(newestFirst)
    const page = all.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map(({ id, at, content }) => ({ ...content, id, at: at.toISOString() })),
      nextCursor:
        last && all.length > limit
          ? cursors.write({ direction: 'next', position: { key: last.at, id: last.id } }, boundTo)
          : null,
    }
  }
}

function placeAt({ position }: ReturnType<PageCursors['read']>): Place | undefined {
  return position?.key instanceof Date ? { at: position.key, id: position.id } : undefined
}

const [lowest, highest] = ['0'.repeat(24), 'f'.repeat(24)]

/** The same place in the list of one source: at its time, items of a higher name come before it, those of a lower one after it. */
function placeIn(name: string, position: Place | undefined): Place | undefined {
  if (!position) return undefined
  const [source = '', id = ''] = position.id.split('-')
  return { at: position.at, id: name === source ? id : name < source ? highest : lowest }
}
