import { isTimeLimit } from '@parley/service-kit/data/mongo'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ContactPart, together } from './contact-query.ts'
import type { ContactRecord } from './contacts.model.ts'

/** Number up to which a part is counted first. Beside other parts, the index of a more frequent one is not worth following. */
export const maxByPart = 20_000
/** Number up to which a part is counted by the keys of its index. */
const maxCountedByPart = 60_000
/** The same for a filter of one part: nothing else is left to find among those that the index gives. */
const maxByOnlyPart = 5000
export interface CountedPart {
  readonly part: ContactPart
  readonly count: number
}
/** Columns of attributes that one table has: a sheet has room for 16,384 in all. */
const maxAttributes = 16_000

/** Counts or iterates over all contacts that a filter matches, however many those are. */
export function createContactWalks(contacts: (scope: WorkspaceScope) => ScopedCollection<ContactRecord>) {
  /** Counts the contacts that match each part that an index answers, up to {@link maxByPart} and one; the fewest first. */
  const countedParts = (scope: WorkspaceScope, parts: readonly ContactPart[]): Promise<CountedPart[]> =>
    countEach(scope, parts, maxByPart + 1)

  /** Returns the counted part that the fewest contacts match. Where many match each, they are counted further. */
  async function leastOf(scope: WorkspaceScope, counted: readonly CountedPart[]): Promise<CountedPart | undefined> {
    const isOpen = counted.length > 1 && counted.every(({ count }) => count > maxByPart)
    const parts = counted.map(({ part }) => part)
    return isOpen ? (await countEach(scope, parts, maxCountedByPart))[0] : counted[0]
  }

  async function countEach(
    scope: WorkspaceScope,
    parts: readonly ContactPart[],
    limit: number,
  ): Promise<CountedPart[]> {
    const counted = await Promise.all(
      parts.flatMap((part) =>
        part.index === undefined
          ? []
          : contacts(scope)
              .countDocuments({ live: true, ...part.filter }, { hint: part.index, limit })
              .then((count) => ({ part, count })),
      ),
    )
    return counted.sort((left, right) => left.count - right.count)
  }

  /**
   * Returns the part of a filter that the fewest contacts match, if its index is worth following. The planner's own choice
   * depends on a short trial, and can be a thousand times slower.
   */
  async function leadingPart(scope: WorkspaceScope, parts: readonly ContactPart[]) {
    const [least] = await countedParts(scope, parts)
    const most = parts.length > 1 ? maxByPart : maxByOnlyPart
    return least && least.count <= most ? least.part : undefined
  }

  /** Ids of those that match, in their order, from behind `after` up to `upTo`. */
  async function idsAfter(
    scope: WorkspaceScope,
    { parts, after, upTo, limit }: { parts: readonly ContactPart[]; after: string; upTo: string; limit: number },
  ): Promise<string[]> {
    const leading = await leadingPart(scope, parts)
    const range: ContactPart = { filter: { _id: { ...(after !== '' && { $gt: after }), $lte: upTo } } }
    const found = await contacts(scope)
      .find(together([...parts, range], leading))
      .sort({ _id: 1 })
      .hint(leading?.index ?? 'newest')
      .limit(limit)
      .select('_id')
    return found.map(({ id }) => id)
  }

  /** Contacts that match, in the order of their ids, behind one of them; none that was made after a moment. */
  const walk = (
    scope: WorkspaceScope,
    parts: readonly ContactPart[],
    { after, until, limit }: { after: string | undefined; until: Date; limit: number },
  ): PromiseLike<ContactRecord[]> =>
    contacts(scope)
      .find({
        $and: [together(parts, undefined), { createdAt: { $lte: until } }],
        live: true,
        ...(after !== undefined && { _id: { $gt: after } }),
      })
      .sort({ _id: 1 })
      .limit(limit)
      .hint('newest')

  /** Yields all contacts that match all parts, the newest first; read piece by piece. */
  async function* iterate(scope: WorkspaceScope, parts: readonly ContactPart[]): AsyncGenerator<ContactRecord> {
    const leading = await leadingPart(scope, parts)
    yield* contacts(scope)
      .find(together(parts, leading))
      .sort({ _id: -1 })
      .hint(leading?.index ?? 'newest')
  }

  /** Names of the attributes of all that match, those that most of them have first. */
  async function attributeNames(scope: WorkspaceScope, parts: readonly ContactPart[]): Promise<string[]> {
    const leading = await leadingPart(scope, parts)
    const found = await contacts(scope).aggregate<{ _id: string }>(
      [
        { $match: Object(together(parts, leading)) },
        { $unwind: '$attributes' },
        { $group: { _id: '$attributes.k', carriers: { $sum: 1 } } },
        { $sort: { carriers: -1, _id: 1 } },
        { $limit: maxAttributes },
      ],
      { hint: leading?.index ?? 'newest' },
    )
    return found.map(({ _id }) => _id)
  }

  /** Counts the contacts that match all parts. @returns null where `maxTimeMS` was not enough. */
  async function count(
    scope: WorkspaceScope,
    parts: readonly ContactPart[],
    limits: { limit?: number; maxTimeMS?: number } = {},
  ): Promise<number | null> {
    const [only] = parts
    const leading = parts.length > 1 ? await leadingPart(scope, parts) : only?.index ? only : undefined
    return contacts(scope)
      .countDocuments(together(parts, leading), { hint: leading?.index ?? 'newest', ...limits })
      .catch(nullIfTooLong)
  }

  return { countedParts, leastOf, idsAfter, walk, iterate, attributeNames, count }
}

function nullIfTooLong(error: unknown): null {
  if (isTimeLimit(error)) return null
  throw error
}
