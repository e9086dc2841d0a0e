import { createHash } from 'node:crypto'
import type { PageOf } from '@parley/contracts/records'
import { defaultPageSize } from '@parley/contracts/records'
import type { Filter, SortBy } from './collection-types.ts'
import { isTimeLimit } from './mongo.ts'
import type { PageCursors, Place, SortKey } from './page-cursor.ts'
import type { ScopedCollection } from './scoped-collection.ts'

/** One order of a list: by a field, then by id. */
export interface ListSort<T> {
  /** Name of the index that holds the scope, the field and `_id`, in this order: it is used unless the list names another. */
  readonly index: string
  readonly field: keyof Omit<T, 'id'> | '_id' | `${string}.${string}`
  readonly direction: 1 | -1
}

/** Above so many matches the total is not counted out. */
const mostCounted = 10_000
const countLimitMs = 500

/**
 * One page of a list by keyset: a range on the sort field and the id, so that a page far down costs what the first one
 * does, and records that come or go in between shift nothing. Records without a value of the field come where `null` sorts.
 * @param list.query everything that the caller's query selects by, which the cursor is bound to.
 * @param list.kept the number of records that match, from a kept counter; asked for above 10,000 only.
 * @param list.count the number of records that match, where the caller knows a better way than counting up to 10,000 by the index.
 * @param list.index of a filter that leaves few records, which are then sorted in memory.
 * @param list.keysFirst sorts only the keys of what matches, and then reads the records of the page: of many matches.
 * @param list.limitMs longest that reading the page may take, where no index answers the filter; MongoDB's own error says so.
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
    readonly index?: string | undefined
    readonly keysFirst?: boolean
    readonly limitMs?: number
    readonly from?: { readonly record: T; readonly direction: Place['direction'] } | undefined
  },
): Promise<PageOf<T>> {
  const { sort, cursors, filter = {}, limit = defaultPageSize, index = sort.index } = list
  const boundTo = digest([list.workspaceId, sort, list.query ?? filter])
  const place = list.cursor === undefined ? startOf(list.from, sort) : cursors.read(list.cursor, boundTo)
  const [found, count] = await Promise.all([
    readFrom(collection, { ...list, sort, index, filter, place, count: limit + 1 }),
    list.count ? list.count() : countUpTo(collection, { filter, index, kept: list.kept }),
  ])
  const backwards = place.direction === 'previous'
  const more = found.length > limit
  const items = backwards ? found.slice(0, limit).reverse() : found.slice(0, limit)
  const cursorAt = (direction: Place['direction'], record: T | undefined) =>
    cursors.write({ direction, position: record && positionOf(record, sort) }, boundTo)
  const hasNext = backwards ? place.position !== undefined : more
  const hasPrevious = backwards ? more : place.position !== undefined
  return {
    items,
    nextCursor: hasNext ? cursorAt('next', items.at(-1)) : null,
    previousCursor: hasPrevious ? cursorAt('previous', items[0]) : null,
    // A list that is one page is counted, even where counting took too long.
    ...(hasNext || hasPrevious
      ? { ...count, total: Math.max(count.total, items.length + 1) }
      : { total: items.length }),
  }
}

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

function startOf<T extends { readonly id: string }>(
  from: { readonly record: T; readonly direction: Place['direction'] } | undefined,
  sort: ListSort<T>,
): Place {
  return from ? { direction: from.direction, position: positionOf(from.record, sort) } : { direction: 'next' }
}

function positionOf<T extends { readonly id: string }>(record: T, { field }: ListSort<T>) {
  const key: unknown = field === '_id' ? record.id : valueAt(record, String(field))
  return { key: (key ?? null) as SortKey, id: record.id }
}

const valueAt = (record: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value == null ? undefined : Reflect.get(Object(value), name)), record)

/** Reads on from a place, in its direction; one range after the other until there are enough records. */
async function readFrom<T extends { readonly id: string }>(
  collection: ScopedCollection<T>,
  {
    sort,
    index,
    filter,
    place,
    count,
    limitMs,
    keysFirst = false,
  }: {
    sort: ListSort<T>
    index: string
    filter: Filter<T>
    place: Place
    count: number
    limitMs?: number
    keysFirst?: boolean
  },
): Promise<T[]> {
  const ascending = (sort.direction === 1) === (place.direction === 'next')
  const by: SortBy = { [sort.field]: ascending ? 1 : -1, ...(sort.field !== '_id' && { _id: ascending ? 1 : -1 }) }
  const found: T[] = []
  for (const range of rangesFrom(String(sort.field), place.position, ascending)) {
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
  return found
}

/**
 * The ranges behind a position. A comparison never matches `null`, so the records without a value are a range of their own:
 * before all others ascending, behind them descending. The records of the same key up to the position are taken out by `$nor`:
 * with `$or` the planner may choose another index for each branch.
 */
function rangesFrom(field: string, position: Place['position'], ascending: boolean): object[] {
  if (!position) return [{}]
  const { key, id } = position
  const beyond = ascending ? '$gt' : '$lt'
  if (field === '_id') return [{ _id: { [beyond]: id } }]
  const nulls = { [field]: null }
  if (key === null) {
    const rest = { ...nulls, _id: { [beyond]: id } }
    return ascending ? [rest, { [field]: { $ne: null } }] : [rest]
  }
  const range = {
    [field]: { [`${beyond}e`]: key },
    $nor: [{ [field]: key, _id: { [ascending ? '$lte' : '$gte']: id } }],
  }
  return ascending ? [range] : [range, nulls]
}

/** The records of some keys, in their order. */
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

/** How many there are, or about how many. */
export interface Total {
  readonly total: number
  readonly approximate?: true
}

async function countUpTo<T>(
  collection: ScopedCollection<T>,
  { filter, index, kept }: { filter: Filter<T>; index: string; kept: (() => Promise<number>) | undefined },
): Promise<Total> {
  const limits = { limit: mostCounted + 1, hint: index, maxTimeMS: countLimitMs }
  const counted = await withinTime(collection.countDocuments(filter, limits))
  if (counted !== undefined && counted <= mostCounted) return { total: counted }
  return { total: (kept && (await withinTime(kept()))) ?? mostCounted, approximate: true }
}

/** @returns `undefined` for a count that takes too long: a page does not wait for its total. */
export const withinTime = (count: Promise<number>): Promise<number | undefined> =>
  count.catch((error: unknown) => {
    if (isTimeLimit(error)) return undefined
    throw error
  })
