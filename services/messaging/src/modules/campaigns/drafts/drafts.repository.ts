import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { SessionOption, Update } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type CampaignRecord, campaignSchema, watched } from '../campaigns.model.ts'
import { namesTag } from '../campaigns.repository.ts'
import type { DraftRecord } from './drafts.model.ts'
import { type AnyRecord, isLaunched } from './drafts.model.ts'

/** Draft as it was seen, to which a change is made. */
export interface ExpectedDraft {
  readonly edition?: number
  /** Null: there is none. */
  readonly 'review.id'?: string | null
  readonly 'review.state'?: NonNullable<DraftRecord['review']>['state']
  readonly 'frozen.rows'?: number
  /** Null: it was never set. */
  readonly 'frozen.clearing'?: boolean | null
  readonly 'frozen.done'?: boolean
}
type ExpectedAtLaunch = Omit<ExpectedDraft, 'edition'>
type NewDraft = Omit<DraftRecord, 'id' | 'workspaceId' | 'status' | 'version' | 'createdAt' | 'updatedAt'>
type Session = Pick<SessionOption, 'session'>
export type DraftsRepository = ReturnType<typeof createDraftsRepository>

/** Drafts, which are stored among the campaigns, and what is left of deleted ones until their rows are gone. */
export function createDraftsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'campaigns', schema: campaignSchema }
  const inState = (status: 'draft' | 'removed') =>
    scopedCollection<WorkspaceScope, DraftRecord>(definition, ({ workspaceId }) => ({ workspaceId, status }))
  const [drafts, removed] = [inState('draft'), inState('removed')]
  // The state of a draft is part of its scope: what changes it sees all campaigns.
  const all = workspaceCollection<AnyRecord>(definition)

  const records = (within: typeof drafts) => ({
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) => within(scope).findOne({ _id: id }, options),
    readMany: async (scope: WorkspaceScope, ids: readonly string[]): Promise<DraftRecord[]> =>
      ids.length === 0
        ? []
        : within(scope)
            .find({ _id: { $in: ids } })
            .limit(ids.length),
    /** @returns null where it is not as it was seen. */
    change: (
      scope: WorkspaceScope,
      id: string,
      { expected, update }: { expected: ExpectedDraft; update: Update<DraftRecord> },
      options: SessionOption = {},
    ) => within(scope).findOneAndUpdate({ _id: id, ...expected }, update, options),
    /** Returns whether it is as it was seen. */
    isStill: async (scope: WorkspaceScope, id: string, expected: ExpectedDraft): Promise<boolean> =>
      (await within(scope).findOne({ _id: id, ...expected })) !== null,
    /** Deletes its record. */
    forget: (scope: WorkspaceScope, id: string, options?: SessionOption) =>
      within(scope).deleteOne({ _id: id }, options),
  })

  return {
    ...records(drafts),
    removed: records(removed),
    /** Counts drafts up to a limit. */
    count: (scope: WorkspaceScope, limit: number, { session }: Session) =>
      drafts(scope).countDocuments({}, { hint: 'status', limit, session }),
    /** Returns drafts that are to send a template. */
    ofTemplate: (scope: WorkspaceScope, templateId: string, limit: number): PromiseLike<DraftRecord[]> =>
      drafts(scope).find({ templateId }).limit(limit).hint('template'),
    create: (scope: WorkspaceScope, draft: NewDraft & { _id: string }, options: SessionOption) =>
      drafts(scope).create(draft, options),
    /**
     * Writes a member's version of a draft, unless it was written since it was seen: its review was of something else and goes,
     * and workers delete its rows. @returns null where it was written since.
     */
    write: (
      scope: WorkspaceScope,
      { id, edition, frozen }: Pick<DraftRecord, 'id' | 'edition' | 'frozen'>,
      fields: Partial<NewDraft>,
      options: Session,
    ): Promise<DraftRecord | null> => {
      const absent = Object.entries(fields).flatMap(([field, value]) =>
        value === undefined ? [[field, 1] as const] : [],
      )
      const rows = frozen && { 'frozen.clearing': true, watch: watched, nextAt: new Date() }
      return drafts(scope).findOneAndUpdate(
        { _id: id, edition },
        {
          $set: { ...omitUndefined(fields), ...rows },
          $unset: { review: 1, template: 1, ...Object.fromEntries(absent) },
          $inc: { edition: 1 },
        },
        options,
      )
    },
    /** Makes it one of {@link removed}, for workers to delete its rows. */
    markRemoved: (scope: WorkspaceScope, id: string, options: Session) =>
      all(scope).updateOne(
        { _id: id, status: 'draft' },
        {
          $set: { status: 'removed', watch: watched, nextAt: new Date(), 'frozen.clearing': true },
          $unset: { review: 1 },
        },
        options,
      ),
    /** Makes it a campaign. @returns null where it is not as it was seen. */
    launch: async (
      scope: WorkspaceScope,
      id: string,
      { expected, update }: { expected: ExpectedAtLaunch; update: Update<CampaignRecord> },
      options: Session,
    ): Promise<CampaignRecord | null> => {
      const changed = await all(scope).findOneAndUpdate({ _id: id, status: 'draft', ...expected }, update, options)
      return changed && isLaunched(changed) ? changed : null
    },
    /** Returns drafts whose audience names a tag. */
    taggedWith: (scope: WorkspaceScope, tag: string, { session = null }: { session?: Session['session'] | null }) =>
      drafts(scope)
        .find({ ...namesTag(tag) })
        .hint('status')
        .session(session),
  }
}
