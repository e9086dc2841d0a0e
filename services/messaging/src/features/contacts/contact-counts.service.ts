import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactCounts, ContactCountsRepository } from './contact-counts.repository.ts'
import type { ContactPart } from './contact-query.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import { segments } from './segments.ts'
import type { TagsRepository } from './tags.repository.ts'

/** So many contacts are counted whenever somebody asks. */
const fewContacts = 20_000
/** The counts of more are at least this old before they are made anew. */
const recountAfterMs = 30_000
const atOnce = 10

export type ContactCountsService = ReturnType<typeof createContactCounts>

/**
 * How many contacts there are, by tag and by segment. A small workspace's are counted at the request; those of a large one are
 * stored, dated, and made anew behind the request that finds them old: counting a million takes seconds.
 */
export function createContactCounts({
  contacts,
  tags,
  stored,
  logger,
  few = fewContacts,
  now = () => new Date(),
}: {
  contacts: Pick<ContactsRepository, 'count'>
  tags: Pick<TagsRepository, 'list'>
  stored: ContactCountsRepository
  logger: Logger
  few?: number
  now?: () => Date
}) {
  const underWay = new Map<string, Promise<ContactCounts>>()

  /** @returns those that are stored, if need be after the first count; `undefined` in a small workspace. */
  async function storedOf(scope: WorkspaceScope): Promise<ContactCounts | undefined> {
    if ((await contacts.count(scope, undefined, { limit: few + 1 })) <= few) return undefined
    const known = await stored.read(scope)
    if (known && known.countedAt.getTime() > now().getTime() - recountAfterMs) return known
    const counting = recount(scope)
    if (!known) return counting
    counting.catch((error: unknown) => logger.warn({ err: error, ...scope }, 'contacts could not be counted anew'))
    return known
  }

  /** Several who ask at once wait for one count. */
  function recount(scope: WorkspaceScope): Promise<ContactCounts> {
    const counting = underWay.get(scope.workspaceId) ?? countAll(scope)
    underWay.set(scope.workspaceId, counting)
    return counting.finally(() => underWay.delete(scope.workspaceId))
  }

  async function countAll(scope: WorkspaceScope): Promise<ContactCounts> {
    const countedAt = now()
    const all = await contacts.count(scope, undefined)
    const counts = { all, segments: await countSegments(scope), tags: await countTags(scope), countedAt }
    await stored.store(scope, counts)
    return counts
  }

  async function countTags(scope: WorkspaceScope) {
    const names = (await tags.list(scope)).map(({ name }) => name)
    return countEach(scope, names, (name) => ({ index: 'tags', filter: { tags: name } }))
  }

  const countSegments = (scope: WorkspaceScope) => {
    const parts = new Map(segments.map(({ id, part }) => [id, part?.(now())]))
    return countEach(scope, [...parts.keys()], (id) => parts.get(id))
  }

  async function countEach(
    scope: WorkspaceScope,
    names: readonly string[],
    partOf: (name: string) => ContactPart | undefined,
  ) {
    const counted: { name: string; count: number }[] = []
    for (let start = 0; start < names.length; start += atOnce) {
      const some = names.slice(start, start + atOnce)
      const counts = await Promise.all(some.map((name) => contacts.count(scope, partOf(name))))
      counted.push(...some.map((name, index) => ({ name, count: counts[index] ?? 0 })))
    }
    return counted
  }

  const byName = (counted: readonly { name: string; count: number }[]): ReadonlyMap<string, number> =>
    new Map(counted.map(({ name, count }) => [name, count]))

  return {
    /** Of each tag, by its name. */
    ofTags: async (scope: WorkspaceScope) => byName((await storedOf(scope))?.tags ?? (await countTags(scope))),
    /** Of each segment, by its id. */
    ofSegments: async (scope: WorkspaceScope) =>
      byName((await storedOf(scope))?.segments ?? (await countSegments(scope))),
    /** Of everybody. */
    ofAll: async (scope: WorkspaceScope) => (await storedOf(scope))?.all ?? contacts.count(scope, undefined),
  }
}
