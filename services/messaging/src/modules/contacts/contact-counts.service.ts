import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { Clock } from '@parley/service-kit/core/clock'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Total } from '@parley/service-kit/data/page'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConditionParts } from './condition-parts.ts'
import type { ContactCounts, ContactCountsRepository } from './contact-counts.repository.ts'
import type { ContactPart } from './contact-query.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import type { TagsRepository } from './tags/tags.repository.ts'

/** Contacts up to which counts are made at each request. */
const fewContacts = 20_000
/** Minimum age of the counts of larger workspaces before they are computed again. */
const recountAfterMs = 30_000
const atOnce = 10
/** Contacts read at a request, those of each segment together: conditions without an index read every contact. */
const maxRead = 200_000
/** Maximum time for the count of one segment. */
const maxCountMs = 30_000

/** A segment as far as counting it goes; the built-in ones never change and have no version. */
export interface CountedSegment {
  readonly id: string
  readonly version?: number | undefined
  readonly filter: ConditionGroup
}
const keyOf = ({ id, version }: CountedSegment): string => (version === undefined ? id : `${id}.${version}`)

export type ContactCountsService = ReturnType<typeof createContactCounts>

/**
 * Counts contacts, by tag and by segment. A small workspace's are counted at the request; those of a large one are stored, dated,
 * and made again behind the request that finds them old: counting a million takes seconds.
 */
export function createContactCounts({
  contacts,
  tags,
  segments,
  conditionParts,
  stored,
  logger,
  few = fewContacts,
  now = () => new Date(),
}: {
  contacts: Pick<ContactsRepository, 'count'>
  tags: Pick<TagsRepository, 'list'>
  segments: (scope: WorkspaceScope) => Promise<readonly CountedSegment[]>
  conditionParts: ConditionParts
  stored: ContactCountsRepository
  logger: Logger
  few?: number
  now?: Clock
}) {
  const underWay = new Map<string, Promise<ContactCounts>>()

  /** @returns those that are stored, if need be after the first count; `undefined` in a small workspace. */
  async function storedOf(
    scope: WorkspaceScope,
    wanted: readonly CountedSegment[] = [],
  ): Promise<ContactCounts | undefined> {
    const counted = await countUpTo(scope, few + 1)
    if (counted <= few && counted * wanted.length <= maxRead) return undefined
    const known = await stored.read(scope)
    const names = new Set(known?.segments.map(({ name }) => name))
    const isComplete = wanted.every((segment) => names.has(keyOf(segment)))
    if (known && isComplete && known.countedAt.getTime() > now().getTime() - recountAfterMs) return known
    const counting = recount(scope)
    if (!known) return counting
    counting.catch((error: unknown) => logger.warn({ err: error, ...scope }, 'contacts could not be counted anew'))
    return known
  }

  /** Counts again; simultaneous callers share one count. */
  function recount(scope: WorkspaceScope): Promise<ContactCounts> {
    const counting = underWay.get(scope.workspaceId) ?? countAll(scope)
    underWay.set(scope.workspaceId, counting)
    return counting.finally(() => underWay.delete(scope.workspaceId))
  }

  async function countAll(scope: WorkspaceScope): Promise<ContactCounts> {
    const countedAt = now()
    const all = await countUpTo(scope)
    const listed = await segments(scope)
    const counts = { all, segments: await countSegments(scope, listed), tags: await countTags(scope), countedAt }
    await stored.store(scope, counts)
    return counts
  }

  async function countTags(scope: WorkspaceScope) {
    const listed = await tags.list(scope)
    const counted = await countEach(scope, listed, async ({ name }) => [{ index: 'tags', filter: { tags: name } }])
    return counted.map(({ of: { name }, count }) => ({ name, count: count ?? 0 }))
  }

  async function countSegments(scope: WorkspaceScope, listed: readonly CountedSegment[]) {
    const counted = await countEach(scope, listed, ({ filter }) => conditionParts(scope, filter), maxCountMs)
    return counted.map(({ of, count }) => ({ name: keyOf(of), count }))
  }

  async function countEach<T>(
    scope: WorkspaceScope,
    all: readonly T[],
    partsOf: (one: T) => Promise<readonly ContactPart[]>,
    maxTimeMS?: number,
  ) {
    const counted: { of: T; count: number | null }[] = []
    const limits = maxTimeMS === undefined ? {} : { maxTimeMS }
    for (let start = 0; start < all.length; start += atOnce) {
      const some = all.slice(start, start + atOnce)
      const counts = some.map(async (of) => ({ of, count: await contacts.count(scope, await partsOf(of), limits) }))
      counted.push(...(await Promise.all(counts)))
    }
    return counted
  }

  const countUpTo = async (scope: WorkspaceScope, limit?: number): Promise<number> =>
    (await contacts.count(scope, [], limit === undefined ? {} : { limit })) ?? 0

  const byName = <N extends number | null>(counted: readonly { name: string; count: N }[]): ReadonlyMap<string, N> =>
    new Map(counted.map(({ name, count }) => [name, count]))

  return {
    /** Counts of tags, by name. */
    ofTags: async (scope: WorkspaceScope) => byName((await storedOf(scope))?.tags ?? (await countTags(scope))),
    /** Counts of segments; null for one that is still to be counted, or that takes too long to count. */
    ofSegments: async (scope: WorkspaceScope, listed: readonly CountedSegment[]) => {
      const counted = byName((await storedOf(scope, listed))?.segments ?? (await countSegments(scope, listed)))
      return (segment: CountedSegment): number | null => counted.get(keyOf(segment)) ?? null
    },
    /** Count of all contacts; `approximate` where it was made some time ago. */
    ofAll: async (scope: WorkspaceScope): Promise<Total> => {
      const known = await storedOf(scope)
      return known ? { total: known.all, approximate: true } : { total: await countUpTo(scope) }
    },
  }
}
