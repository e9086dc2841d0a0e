import { defaultPageSize } from '@parley/contracts/core/records'
import { endsWithin } from '@parley/service-kit/core/ends-within'
import { AppError } from '@parley/service-kit/core/errors'
import { isTimeLimit } from '@parley/service-kit/data/mongo'
import { pageOf, type Total, withinTime } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ContactPart, contactOrders, together } from './contact-query.ts'
import { type CountedPart, type createContactWalks, maxByPart } from './contact-walks.ts'
import type { ContactRecord } from './contacts.model.ts'

/** Milliseconds in which walking the list finds a page where many match, unless those who match lie together far down. */
const walkLimitMs = 80
/** Maximum time in which the contacts that match one part are searched for a page. */
const searchLimitMs = 1500
/**
 * Milliseconds after which a page of a search without an index ends: it goes a step at a time, and the next page continues from
 * there.
 */
const stepsLimitMs = 1500
/** Records that a tenth of a second is enough for. */
const stepSize = 20_000
/** Maximum exact total, if counted within the limit. */
const maxCounted = 10_000
const countLimitMs = 60
const soonMs = 20
/** Reading a key of an index, as a part of reading a record. */
const keysOfRecords = 0.2
/** Contacts that are sampled to estimate how many of all match. */
const sampleSize = 3000

interface PageQuery {
  readonly parts: readonly ContactPart[]
  readonly sort: keyof typeof contactOrders
  readonly query: unknown
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Counts all contacts. */
  readonly countAll: () => Promise<Total>
}

const aboutOf = (total: number): Total => (total <= maxCounted ? { total } : { total, approximate: true })

/**
 * Returns whether walking the list meets a page sooner than reading all who match one part, as far as those who match are spread
 * evenly. Of a single part only keys are read.
 */
function isWalkShort(
  counted: readonly CountedPart[],
  { sort, isOnly, all, limit = defaultPageSize }: Pick<PageQuery, 'sort' | 'limit'> & { isOnly: boolean; all: number },
): boolean {
  const [least] = counted
  const matches = counted.reduce((sum, { count }) => sum * Math.min(1, count / Math.max(1, all)), all)
  // A range of what the list is ordered by is where the walk stays.
  const within = counted.find(({ part }) => part.index === contactOrders[sort].index)?.count ?? all
  const walked = (limit * within) / Math.max(1, matches)
  return walked < (least?.count ?? 0) * (isOnly ? keysOfRecords : 1)
}

/** Replaces a read that takes too long by another one. */
const orElse = <T>(reading: Promise<T>, instead: () => Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    if (!isTimeLimit(error)) throw error
    return instead()
  })

type Walks = ReturnType<typeof createContactWalks>

/** Pages of contacts: how many match each part of the filter decides which index leads to them. */
export function createContactPages({
  contacts,
  cursors,
  countedParts,
  leastOf,
}: Pick<Walks, 'countedParts' | 'leastOf'> & {
  contacts: (scope: WorkspaceScope) => ScopedCollection<ContactRecord>
  cursors: PageCursors
}) {
  /** @throws `search_too_long`. */
  async function page(scope: WorkspaceScope, { parts, sort, ...asked }: PageQuery) {
    const counted = await countedParts(scope, parts)
    const [least] = counted
    let countingAll: Promise<Total> | undefined
    const countAll = () => {
      countingAll ??= asked.countAll()
      return countingAll
    }
    let counting: Promise<Total> | undefined
    const count = () => {
      counting ??= total(scope, { parts, least, countAll })
      return counting
    }
    const read = (lead: ContactPart | undefined, limit: { limitMs: number } | { steps: true }) =>
      pageOf(contacts(scope), {
        ...asked,
        sort: contactOrders[sort],
        cursors,
        workspaceId: scope.workspaceId,
        count,
        ...('steps' in limit ? { steps: { among: { live: true }, size: stepSize, limitMs: stepsLimitMs } } : limit),
        filter: together(parts, lead),
        index: lead?.index,
        // The index of a single part holds the keys of the order: no record is read to be sorted.
        keysFirst: lead !== undefined,
      })
    const inSteps = () => read(undefined, { steps: true })
    if (parts.length === 0) return read(undefined, { limitMs: searchLimitMs })
    const byLeast = async () => {
      const lead = least && (await leastOf(scope, counted))?.part
      return lead ? orElse(read(lead, { limitMs: searchLimitMs }), inSteps) : inSteps()
    }
    // Names that begin alike lie together in the list by name.
    if (least?.part.word !== undefined && sort === 'name') return byLeast()
    const about = { sort, limit: asked.limit, isOnly: parts.length === 1 }
    const isShort =
      !least || least.count > maxByPart || isWalkShort(counted, { ...about, all: (await countAll()).total })
    return isShort ? orElse(read(undefined, { limitMs: walkLimitMs }), byLeast) : byLeast()
  }

  /** Counts exactly where that is fast; estimates by a sample otherwise. */
  async function total(
    scope: WorkspaceScope,
    { parts, least, countAll }: Pick<PageQuery, 'parts' | 'countAll'> & { least: CountedPart | undefined },
  ): Promise<Total> {
    if (parts.length === 0) return countAll()
    const isOnly = parts.length === 1
    const isCounted = least !== undefined && least.count <= maxByPart
    if (isCounted && isOnly) return { total: least.count }
    const isTooMany = least !== undefined && !isCounted && !isOnly
    const limits = {
      hint: least?.part.index ?? 'newest',
      maxTimeMS: countLimitMs,
      ...(!isOnly && { limit: maxCounted + 1 }),
    }
    const counting = isTooMany
      ? Promise.resolve(undefined)
      : withinTime(contacts(scope).countDocuments(together(parts, least?.part), limits))
    const isKnown = (count: number | undefined): count is number =>
      count !== undefined && (isOnly || count <= maxCounted)
    // No further records are read for a count that is immediate.
    const early = (await endsWithin(counting, soonMs)) ? await counting : undefined
    if (isKnown(early)) return aboutOf(early)
    const [estimated, counted] = await Promise.all([
      estimate(scope, parts, isCounted ? least : { count: (await countAll()).total }),
      counting,
    ])
    if (isKnown(counted)) return aboutOf(counted)
    return { total: Math.max(estimated, counted ?? 0), approximate: true }
  }

  /** Estimates the number that match all parts, by the first of those who match one of them, or of all. */
  async function estimate(
    scope: WorkspaceScope,
    parts: readonly ContactPart[],
    { part, count }: Omit<CountedPart, 'part'> & Partial<CountedPart>,
  ): Promise<number> {
    const others = parts.filter((other) => other !== part).map(({ filter }) => filter)
    // Words have no part in the order by last contact, nor have tags and times in that by name.
    const hint = part?.index ?? (parts.some(({ word }) => word !== undefined) ? 'last' : 'name')
    const sample = [
      { $match: { live: true, ...part?.filter } },
      { $limit: sampleSize },
      { $match: Object({ $and: others }) },
      { $count: 'count' },
    ]
    const [found] = await contacts(scope).aggregate<{ count: number }>(sample, { hint })
    return Math.round((count * (found?.count ?? 0)) / Math.max(1, Math.min(sampleSize, count)))
  }

  return (scope: WorkspaceScope, query: PageQuery) =>
    page(scope, query).catch((error: unknown) => {
      if (!isTimeLimit(error)) throw error
      const message = 'This search takes too long. Narrow it by tag or last contact.'
      throw new AppError('search_too_long', message)
    })
}
