import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type MessageWords, messageWordsSchema } from './message-search.model.ts'

/** A place in the order of a search: what comes behind it is older. */
export interface SearchPlace {
  readonly at: Date
  readonly id: string
}
export type MessageSearchRepository = ReturnType<typeof createMessageSearchRepository>

/** Count limits in the search for the rarest of several words: first a cheap one, then once more. */
const countSteps = [2000, 30_000]

const newestFirst = (left: MessageWords, right: MessageWords): number =>
  right.at.getTime() - left.at.getTime() || (left.id < right.id ? 1 : -1)

export function createMessageSearchRepository(connection: ServiceConnection) {
  const found = workspaceCollection<MessageWords>({
    connection,
    name: 'messageSearch',
    schema: messageWordsSchema,
  })
  const count = (scope: WorkspaceScope, word: string, limit: number) =>
    found(scope).countDocuments({ words: word }, { hint: 'word-times', limit })

  return {
    replace: async (scope: WorkspaceScope, messages: readonly Omit<MessageWords, 'workspaceId'>[], tx: Tx) => {
      if (messages.length === 0) return
      await found(scope).deleteMany({ _id: { $in: messages.map(({ id }) => id) } }, { session: tx.session })
      const records = messages
        .filter(({ words }) => words.length > 0)
        .map(({ id: _id, ...fields }) => ({ _id, ...fields }))
      await found(scope).insertPlain(records, { session: tx.session })
    },
    /** The word that fewest messages have comes first. */
    rarestFirst: async (scope: WorkspaceScope, words: readonly string[]): Promise<string[]> => {
      if (words.length < 2) return [...words]
      for (const limit of countSteps) {
        const counts = await Promise.all(words.map((word) => count(scope, word, limit)))
        if (Math.min(...counts) < limit || limit === countSteps.at(-1))
          return words.toSorted(
            (left, right) => (counts[words.indexOf(left)] ?? 0) - (counts[words.indexOf(right)] ?? 0),
          )
      }
      return [...words]
    },
    /** Messages with all words, newest first, behind a place and not older than `since`. @throws where the time is up. */
    find: async (
      scope: WorkspaceScope,
      [rarest = '', ...others]: readonly string[],
      {
        behind,
        since,
        limit,
        limitMs,
      }: { behind?: SearchPlace | undefined; since: Date; limit: number; limitMs: number },
    ): Promise<MessageWords[]> => {
      const end = performance.now() + limitMs
      const read = (filter: Filter<MessageWords>) =>
        found(scope)
          .find({ words: rarest, ...filter })
          .hint('word-times')
          .maxTimeMS(Math.max(1, Math.ceil(end - performance.now())))
      const excluded: Filter<MessageWords>[] = [
        ...(behind ? [{ at: behind.at, _id: { $gte: behind.id } }] : []),
        // An index is read from one condition on it alone: the others are hidden from the planner.
        ...others.map((word) => ({ $nor: [{ words: word }] })),
      ]
      const rest = excluded.length > 0 ? { $nor: excluded } : {}
      const first = await read({ at: { $gt: since, ...(behind && { $lte: behind.at }) }, ...rest })
        .sort({ at: -1 })
        .limit(limit)
      const last = first.length < limit ? undefined : first.at(-1)?.at
      if (!last) return first.sort(newestFirst)
      // The limit may part messages of one moment anywhere: the latest of them are read by themselves.
      const before = first.filter(({ at }) => at > last)
      const together = await read({ at: last, ...rest })
        .sort({ _id: -1 })
        .limit(limit)
      return [...before, ...together].sort(newestFirst).slice(0, limit)
    },
  }
}
