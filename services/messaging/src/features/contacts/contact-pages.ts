import { AppError } from '@parley/service-kit/core/errors'
import { isTimeLimit } from '@parley/service-kit/data/mongo'
import { pageOf, type Total, withinTime } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ContactPart, contactOrders, together } from './contact-query.ts'
import { type CountedPart, type createContactWalks, isFew, mostByPart } from './contact-walks.ts'
import type { ContactRecord } from './contacts.model.ts'

/** Where many match, going down the list finds a page within so long, unless those who match lie together far down. */
const walkLimitMs = 80
/** Longest that a list may look for a page. */
const searchLimitMs = 5000
/** Totals are exact up to so many, if they are counted within the limit. */
const mostCounted = 10_000
const countLimitMs = 60
/** So many of those who match the leading part tell how many match all of them. */
const sampleSize = 5000

interface PageQuery {
  readonly parts: readonly ContactPart[]
  readonly sort: keyof typeof contactOrders
  readonly query: unknown
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** How many contacts there are. */
  readonly countAll: () => Promise<Total>
}

const aboutOf = (total: number): Total => (total <= mostCounted ? { total } : { total, approximate: true })

/** Pages of contacts: how many match each part of the filter decides which index leads to them. */
export function createContactPages({
  contacts,
  cursors,
  countedParts,
}: {
  contacts: (scope: WorkspaceScope) => ScopedCollection<ContactRecord>
  cursors: PageCursors
  countedParts: ReturnType<typeof createContactWalks>['countedParts']
}) {
  /** @throws `search_too_long`. */
  async function page(scope: WorkspaceScope, { parts, sort, countAll, ...asked }: PageQuery) {
    const [least] = await countedParts(scope, parts)
    let counting: Promise<Total> | undefined
    const count = () => {
      counting ??= total(scope, { parts, least, countAll })
      return counting
    }
    const read = (lead: ContactPart | undefined, limitMs: number) =>
      pageOf(contacts(scope), {
        ...{ ...asked, sort: contactOrders[sort], cursors, workspaceId: scope.workspaceId, count, limitMs },
        filter: together(parts, lead),
        index: lead?.index,
        // The index of a single part holds the keys of the order: no record is read to be sorted.
        keysFirst: lead !== undefined,
      })
    if (!least) return read(undefined, searchLimitMs)
    // Names that begin alike lie together in the list by name; and first names and family names go by language.
    const words = parts.filter(({ word }) => word !== undefined)
    const isClustered = least.part.word !== undefined && (sort === 'name' || words.length > 1)
    if (isFew(least.count, parts) || isClustered) return read(least.part, searchLimitMs)
    return read(undefined, walkLimitMs).catch((error: unknown) => {
      if (!isTimeLimit(error)) throw error
      return read(least.part, searchLimitMs)
    })
  }

  /** Exact where it is soon counted; else about as many as the first of those who match the leading part tell. */
  async function total(
    scope: WorkspaceScope,
    { parts, least, countAll }: Pick<PageQuery, 'parts' | 'countAll'> & { least: CountedPart | undefined },
  ): Promise<Total> {
    if (parts.length === 0) return countAll()
    const lead = least?.part
    const others = parts.filter((part) => part !== lead).map(({ filter }) => filter)
    const hint = lead?.index ?? 'newest'
    const limits = { hint, maxTimeMS: countLimitMs }
    if (least && others.length === 0) {
      if (least.count <= mostByPart) return { total: least.count }
    } else {
      const exact = contacts(scope).countDocuments(together(parts, lead), { ...limits, limit: mostCounted + 1 })
      const counted = await withinTime(exact)
      if (counted !== undefined && counted <= mostCounted) return { total: counted }
    }
    const leading = { live: true, ...lead?.filter }
    const led = least
      ? ((await withinTime(contacts(scope).countDocuments(leading, limits))) ?? least.count)
      : (await countAll()).total
    if (others.length === 0) return aboutOf(led)
    const sample = [
      { $match: Object(leading) },
      { $limit: sampleSize },
      { $match: Object({ $and: others }) },
      { $count: 'count' },
    ]
    const [found] = await contacts(scope).aggregate<{ count: number }>(sample, { hint })
    return aboutOf(Math.round((led * (found?.count ?? 0)) / Math.max(1, Math.min(sampleSize, led))))
  }

  return (scope: WorkspaceScope, query: PageQuery) =>
    page(scope, query).catch((error: unknown) => {
      if (!isTimeLimit(error)) throw error
      const message =
        'Searching all contacts for this takes too long. Add a tag or a last contact that fewer of them have.'
      throw new AppError('search_too_long', message)
    })
}
