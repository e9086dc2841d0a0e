import { createHash } from 'node:crypto'
import type { PageOf } from '@parley/contracts/core/records'
import { defaultPageSize } from '@parley/contracts/core/records'
import type { Filter } from './collection-types.ts'
import { isTimeLimit } from './mongo.ts'
import type { PageCursors, PageStart, SortKey } from './page-cursor.ts'
import { type ListSort, orderOf, type Position, positionOf, rangesFrom, upTo } from './page-ranges.ts'
import type { ScopedCollection } from './scoped-collection.ts'

export type { ListSort } from './page-ranges.ts'

/** Matches above which the total is not counted exactly. */
const maxCounted = 10_000
const countLimitMs = 500

/**
 * One page of a list by keyset: a range on the sort field and the id, so that a page far down costs what the first one
 * does, and records that come or go in between shift nothing. Records without a value of the field come where `null` sorts.
 * @param list.query everything that the caller's query selects by, which the cursor is bound to.
 * @param list.kept the number of records that match, from a kept counter; asked for above 10,000 only.
 * @param list.count the number of records that match, where the caller knows a better way than counting up to 10,000 by the index.
 * @param list.isMostlyShort true for lists that mostly fit one page: what goes beyond it is counted once that is known, and not beside it.
 * @param list.index of a filter that leaves few records, which are then sorted in memory.
 * @param list.keysFirst sorts only the keys of what matches, and then reads the records of the page: of many matches.
 * @param list.limitMs longest that reading the page may take, where no index answers the filter; MongoDB's own error says so.
 * @param list.steps for a filter that no index answers: the list is looked through a step at a time. Where time is up before the
 * page is full, it says how far it came in `searchedTo`, and the next page continues from there.
 * @param list.from where the page begins that is asked for without a cursor; its own record is not part of the page.
 * @throws `validation_failed` for a cursor of another list.
 */
export async function pageOf<T extends { readonly id: string }>(
  collection: ScopedCollection<T>,
  list: {
    readonly sort: ListSort<T>
    readonly cursors: PageCursors
    readonly workspaceId: string
    readonly filter?: Filter<T>
    readonly query?: unknown
    readonly limit?: number | undefined
    readonly cursor?: string | undefined
    readonly kept?: () => Promise<number>
    readonly count?: () => Promise<Total>
    readonly isMostlyShort?: boolean
    readonly index?: string | undefined
    readonly keysFirst?: boolean
    readonly limitMs?: number
    readonly steps?: Steps<T> | undefined
    readonly from?: { readonly record: T; readonly direction: PageStart['direction'] } | undefined
  },
): Promise<PageOf<T> & { searchedTo?: SortKey }> {
  const { sort, cursors, filter = {}, limit = defaultPageSize, index = sort.index, steps } = list
  const boundTo = digest([list.workspaceId, sort, list.query ?? filter])
  const start = list.cursor === undefined ? startOf(list.from, sort) : cursors.read(list.cursor, boundTo)
  const reading = { ...list, sort, index, filter, start, count: limit + 1 }
  const page = steps ? readInSteps(collection, { ...reading, steps }) : readFrom(collection, reading)
  const hasMore = ({ found, reached }: Reading<T>) => found.length > limit || reached !== undefined
  const total = () => (list.count ? list.count() : countUpTo(collection, { filter, index, kept: list.kept }))
  const [read, count] = await Promise.all([
    page,
    list.isMostlyShort && start.position === undefined
      ? page.then((whole) => (hasMore(whole) ? total() : { total: 0 }))
      : total(),
  ])
  const { found, reached } = read
  const backwards = start.direction === 'previous'
  const more = hasMore(read)
  const items = backwards ? found.slice(0, limit).reverse() : found.slice(0, limit)
  const cursorAt = (direction: PageStart['direction'], record: T | undefined) => {
    const end = direction === start.direction ? reached : undefined
    // An empty page has no position of its own: its cursor is the end of the list, or the start of the search.
    const position = end ?? (record ? positionOf(record, sort) : steps && start.position)
    return cursors.write({ direction, position }, boundTo)
  }
  const hasNext = backwards ? start.position !== undefined : more
  const hasPrevious = backwards ? more : start.position !== undefined
  return {
    items,
    nextCursor: hasNext ? cursorAt('next', items.at(-1)) : null,
    previousCursor: hasPrevious ? cursorAt('previous', items[0]) : null,
    // The items of a list that fits one page are its exact total, even where counting took too long.
    ...(hasNext || hasPrevious
      ? { ...count, total: Math.max(count.total, items.length + 1) }
      : { total: items.length }),
    ...(reached && { searchedTo: reached.key }),
  }
}

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

function startOf<T extends { readonly id: string }>(
  from: { readonly record: T; readonly direction: PageStart['direction'] } | undefined,
  sort: ListSort<T>,
): PageStart {
  return from ? { direction: from.direction, position: positionOf(from.record, sort) } : { direction: 'next' }
}

/** Records that were read, and the position that the search has reached, where that is not the end. */
interface Reading<T> {
  readonly found: T[]
  readonly reached?: Position
}
/** Search through a list whose filter no index answers. */
interface Steps<T> {
  /** Records in the list's index order, without the filter. */
  readonly among: Filter<T>
  /** Records of a step: each takes about as long, however few match. */
  readonly size: number
  /** Milliseconds after which no step begins. */
  readonly limitMs: number
}

/** Searches the list from a position, step by step, until there are enough records or time is up. */
async function readInSteps<T extends { readonly id: string }>(
  collection: ScopedCollection<T>,
  {
    sort,
    filter,
    start,
    count,
    steps: { among, size, limitMs },
  }: { sort: ListSort<T>; filter: Filter<T>; start: PageStart; count: number; steps: Steps<T> },
): Promise<Reading<T>> {
  const until = performance.now() + limitMs
  const { ascending, by } = orderOf(sort, start)
  const field = String(sort.field)
  const find = (...parts: object[]) =>
    collection
      .find({ $and: parts } as Filter<T>)
      .sort(by)
      .hint(sort.index)
  const found: T[] = []
  for (const whole of rangesFrom(field, start.position ?? null, ascending)) {
    for (let range: object | undefined = whole; range !== undefined; ) {
      const [last]: T[] = await find(among, range)
        .skip(size - 1)
        .limit(1)
        .select(field)
      const reached: Position | undefined = last && positionOf(last, sort)
      const within = reached ? [upTo(field, reached, ascending)] : []
      found.push(...(await find(filter, range, ...within).limit(count - found.length)))
      if (found.length === count) return { found }
      if (reached && performance.now() > until) return { found, reached }
      range = reached && rangesFrom(field, reached, ascending)[0]
    }
  }
  return { found }
}

/** Reads from a position, in its direction; one range after the other until there are enough records. */
async function readFrom<T extends { readonly id: string }>(
  collection: ScopedCollection<T>,
  {
    sort,
    index,
    filter,
    start,
    count,
    limitMs,
    keysFirst = false,
  }: {
    sort: ListSort<T>
    index: string
    filter: Filter<T>
    start: PageStart
    count: number
    limitMs?: number
    keysFirst?: boolean
  },
): Promise<Reading<T>> {
  const { ascending, by } = orderOf(sort, start)
  const found: T[] = []
  for (const range of rangesFrom(String(sort.field), start.position, ascending)) {
    const within = Object.keys(range).length === 0 ? filter : { $and: [filter, range] }
    const query = collection
      .find(within as Filter<T>)
      .sort(by)
      .limit(count - found.length)
      .hint(index)
    if (keysFirst) query.select(sort.field === '_id' ? '_id' : String(sort.field))
    const part = await (limitMs === undefined ? query : query.maxTimeMS(limitMs))
    found.push(...(keysFirst ? await recordsOf(collection, part) : part))
    if (found.length === count) break
  }
  return { found }
}

/** Reads the records of some keys, in their order. */
async function recordsOf<T extends { readonly id: string }>(
  collection: ScopedCollection<T>,
  keys: readonly T[],
): Promise<T[]> {
  if (keys.length === 0) return []
  const byIds: object = { _id: { $in: keys.map(({ id }) => id) } }
  const records = await collection.find(byIds as Filter<T>)
  const byId = new Map(records.map((record) => [record.id, record]))
  return keys.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Counts records, exactly or approximately. */
export interface Total {
  readonly total: number
  readonly approximate?: true
}

async function countUpTo<T>(
  collection: ScopedCollection<T>,
  { filter, index, kept }: { filter: Filter<T>; index: string; kept: (() => Promise<number>) | undefined },
): Promise<Total> {
  const limits = { limit: maxCounted + 1, hint: index, maxTimeMS: countLimitMs }
  const counted = await withinTime(collection.countDocuments(filter, limits))
  if (counted !== undefined && counted <= maxCounted) return { total: counted }
  return { total: (kept && (await withinTime(kept()))) ?? maxCounted, approximate: true }
}

/** @returns `undefined` for a count that takes too long: a page does not wait for its total. */
export const withinTime = (count: Promise<number>): Promise<number | undefined> =>
  count.catch((error: unknown) => {
    if (isTimeLimit(error)) return undefined
    throw error
  })
