import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type AnswerRecord, answerSchema, watches } from './answers.model.ts'

type Session = Pick<Tx, 'session'>
/** A period in time: `to` is the first moment after it. */
export interface Period {
  readonly from: Date
  readonly to: Date
}
interface RowsOf extends Period {
  readonly numberId?: string | undefined
  readonly by?: string | undefined
  readonly replied?: boolean | undefined
  readonly late?: boolean | undefined
  /** Only those that count as answered. */
  readonly inTime?: boolean | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}
export type NewAnswer = Omit<AnswerRecord, 'workspaceId'>
export type AnswersRepository = ReturnType<typeof createAnswersRepository>

/** Returns the index in which the rows of a question follow one another. */
function indexOf({ numberId, by, late, inTime }: Pick<RowsOf, 'numberId' | 'by' | 'late' | 'inTime'>): string {
  if (by) return late ? 'late-by-author' : inTime ? 'in-time-by-author' : 'by-author'
  return numberId ? 'of-number' : 'since'
}

export function createAnswersRepository(connection: ServiceConnection, cursors?: PageCursors) {
  const definition = { connection, name: 'answers', schema: answerSchema }
  const answers = workspaceCollection<AnswerRecord>(definition)
  const watched = scopedCollection<object, AnswerRecord>(definition, () => ({ 'watch.state': watches }))
  return {
    openIn: (scope: WorkspaceScope, conversationIds: readonly string[], { session }: Session) =>
      answers(scope)
        .find({ open: true, conversationId: { $in: conversationIds } })
        .hint('open')
        .session(session),
    openOf: (scope: WorkspaceScope, contactId: string, { session }: Session) =>
      answers(scope).find({ open: true, contactId }).hint('contact').session(session),
    /** Writes those that are new or have changed, and removes others. */
    store: async (
      scope: WorkspaceScope,
      { stored, removed }: { stored: readonly NewAnswer[]; removed: readonly string[] },
      { session }: Session,
    ): Promise<void> => {
      // Before others take their place among the open ones.
      if (removed.length > 0) await answers(scope).deleteMany({ _id: { $in: removed } }, { session })
      if (stored.length === 0) return
      const writes = stored.map(({ id, open, watch, ...fields }) => ({
        updateOne: {
          filter: { _id: id },
          update: {
            $set: { ...omitUndefined(fields), ...(open && { open, ...(watch && { watch }) }) },
            ...(!open && { $unset: { open: 1, watch: 1 } }),
          },
          upsert: true,
        },
      }))
      await answers(scope).bulkWrite(writes, { session, ordered: true })
    },
    /** Leaves the times, which are figures, and takes out whom they are of. */
    forget: async (scope: WorkspaceScope, contactId: string, { session }: Session): Promise<void> => {
      await answers(scope).updateMany(
        { contactId },
        { $unset: { contactId: 1, conversationId: 1, messageId: 1 } },
        { session },
      )
    },
    read: (scope: WorkspaceScope, id: string, { session }: Session) => answers(scope).findOne({ _id: id }, { session }),
    /** Waits of all workspaces whose response target something is to be done about. */
    watched: (now: Date, limit: number) =>
      watched({})
        .find({ 'watch.at': { $lte: now } })
        .sort({ 'watch.at': 1 })
        .limit(limit)
        .hint('watch'),
    /** @param watch absent: nothing is to be done any more. */
    watch: async (scope: WorkspaceScope, id: string, watch: AnswerRecord['watch'], { session }: Session) => {
      const update = watch ? { $set: { watch } } : { $unset: { watch: '' as const } }
      await answers(scope).updateOne({ _id: id }, update, { session })
    },
    /** Counts those who still wait and began within a period. */
    countOpen: (scope: WorkspaceScope, { from, to }: Period): Promise<number> =>
      answers(scope).countDocuments(
        { open: true, since: { $gte: from, $lt: to }, handedOver: { $exists: false } },
        { hint: 'waiting' },
      ),
    /**
     * Reads a page of the waits that are counted, newest first.
     * @param of.by of one member alone. `replied`: also those that a bot has passed on; `late`: those answered after their target;
     * `inTime`: those that count as answered.
     */
    page: (scope: WorkspaceScope, { from, to, numberId, by, replied, late, inTime, ...page }: RowsOf) => {
      if (!cursors) throw new Error('pages need cursors')
      const counted = {
        closedAt: { $exists: false },
        since: { $gte: from, $lt: to },
        ...(!replied && { handedOver: { $exists: false } }),
        ...(late && { late: true }),
        ...(inTime && { inTime: true }),
      }
      const filter = { ...counted, ...(numberId && { numberId }), ...(by && { 'by.kind': 'member', 'by.id': by }) }
      return pageOf(answers(scope), {
        sort: { index: indexOf({ numberId, by, late, inTime }), field: 'since', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: filter as Filter<AnswerRecord>,
        query: [from, to, numberId, by, replied, late, inTime],
        // The counters know it.
        count: async () => ({ total: 0 }),
        ...page,
      })
    },
    between: (scope: WorkspaceScope, { from, to }: Period, { session }: Session): AsyncIterable<AnswerRecord> =>
      answers(scope)
        .find({ since: { $gte: from, $lt: to } })
        .hint('since')
        .session(session),
  }
}
