import type { RatingSetting } from '@parley/contracts/inbox/ratings'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type RatingRecord, type RatingSettingRecord, ratingSchema, ratingSettingSchema } from './ratings.model.ts'

type Session = Pick<Tx, 'session'>
interface Period {
  readonly from: Date
  readonly to: Date
}
export type RatingsRepository = ReturnType<typeof createRatingsRepository>

export function createRatingsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const settings = workspaceCollection<RatingSettingRecord>({
    connection,
    name: 'ratingSettings',
    schema: ratingSettingSchema,
  })
  const ratings = workspaceCollection<RatingRecord>({
    connection,
    name: 'ratings',
    schema: ratingSchema,
    bookkeeping: true,
  })
  const rated = ({ from, to }: Period) => ({ ratedAt: { $gte: from, $lt: to } })

  return {
    readSetting: (scope: WorkspaceScope, options: SessionOption = {}) =>
      settings(scope).findOne({}, { hint: 'workspace', ...options }),
    /** @returns `null` where another change came first. */
    storeSetting: (scope: WorkspaceScope, { version, ...setting }: RatingSetting) =>
      storeSetting(settings(scope), version, setting),
    wasAskedSince: async (
      scope: WorkspaceScope,
      contactIds: readonly string[],
      since: Date,
      options: Session,
    ): Promise<boolean> =>
      (await ratings(scope).findOne(
        { contactId: { $in: contactIds }, askedAt: { $gte: since } },
        { hint: 'contact', ...options },
      )) !== null,
    ask: (
      scope: WorkspaceScope,
      { id: _id, ...asked }: Omit<RatingRecord, 'workspaceId' | 'ratedAt' | 'score' | 'comment'>,
      options: Session,
    ) => ratings(scope).create({ _id, ...asked }, options),
    read: (scope: WorkspaceScope, id: string, options: Session) => ratings(scope).findOne({ _id: id }, options),
    /** Records the score of a question, and the conversation of the answer; the latest of several stays. */
    rate: (
      scope: WorkspaceScope,
      { id, conversationId, score, at }: { id: string; conversationId: string; score: number; at: Date },
      options: Session,
    ) => ratings(scope).updateOne({ _id: id }, { $set: { score, ratedAt: at, conversationId } }, options),
    /** Adds words to a rating that was given since a moment and has none. */
    comment: (
      scope: WorkspaceScope,
      { conversationId, comment, since, at }: { conversationId: string; comment: string; since: Date; at: Date },
      options: Session,
    ) =>
      ratings(scope).findOneAndUpdate(
        { conversationId, ratedAt: { $gte: since, $lte: at }, comment: { $exists: false } },
        { $set: { comment } },
        { sort: { ratedAt: -1 }, ...options },
      ),
    forget: (
      scope: WorkspaceScope,
      { contactId, conversationIds }: { contactId: string; conversationIds: readonly string[] },
      options: Session,
    ) => ratings(scope).deleteMany({ $or: [{ contactId }, { conversationId: { $in: conversationIds } }] }, options),
    /** All ratings of a person, for their export. */
    ofContact: (scope: WorkspaceScope, contactId: string): AsyncIterable<RatingRecord> =>
      ratings(scope).find({ contactId }).hint('contact'),
    /** Counts and averages ratings of each member, or of one; an index alone is read. @returns by user id. */
    averages: async (scope: WorkspaceScope, { by, ...period }: Period & { readonly by?: string | undefined }) => {
      const found = await ratings(scope).aggregate<{ _id: string; count: number; average: number }>(
        [
          { $match: { ...(by !== undefined && { by }), ...rated(period) } },
          { $group: { _id: '$by', count: { $sum: 1 }, average: { $avg: '$score' } } },
        ],
        { hint: by === undefined ? 'rated' : 'member' },
      )
      return new Map(found.map(({ _id, ...own }) => [_id, own]))
    },
    count: (scope: WorkspaceScope, { by, ...period }: Period & { readonly by: string }) =>
      ratings(scope).countDocuments({ by, ...rated(period) }, { hint: 'member' }),
    /** Reads a page of the ratings of a member, newest first. */
    page: (
      scope: WorkspaceScope,
      { by, from, to, ...page }: Period & { by: string; limit: number; cursor?: string | undefined },
    ) =>
      pageOf(ratings(scope), {
        sort: { index: 'member', field: 'ratedAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: { by, ...rated({ from, to }) },
        query: [from, to, by],
        // It is counted apart.
        count: async () => ({ total: 0 }),
        ...page,
      }),
  }
}
