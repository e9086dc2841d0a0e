import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import {
  type ScopedCollection,
  scopedCollection,
  type WorkspaceScope,
  workspaceCollection,
} from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type TemplateRecord, templateSchema } from './templates.model.ts'

export type NewTemplateRecord = Omit<TemplateRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'>
export type TemplateChange = Parameters<ScopedCollection<TemplateRecord>['findOneAndUpdate']>[1]
/** Fields that get a value, and fields that go. */
export interface FieldChange {
  readonly $set: Readonly<Record<string, unknown>>
  readonly $unset?: Readonly<Record<string, ''>>
}
export type TemplatesRepository = ReturnType<typeof createTemplatesRepository>

export interface TemplateListQuery {
  readonly q?: string | undefined
  readonly status?: readonly string[] | undefined
  readonly category?: readonly string[] | undefined
  readonly language?: readonly string[] | undefined
  readonly accountId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const isLive = { key: { $exists: true } }

export function createTemplatesRepository(connection: ServiceConnection, cursors: PageCursors) {
  const definition = { connection, name: 'templates', schema: templateSchema }
  const templates = workspaceCollection<TemplateRecord>(definition)
  // Deletion at WhatsApp looks in every workspace, and continues with the one that each template names.
  const doomed = scopedCollection<object, TemplateRecord>(definition, () => ({ purge: 'due' }))
  return {
    page: (scope: WorkspaceScope, { q, status, category, language, accountId, limit, cursor }: TemplateListQuery) => {
      const containing = q ? { $regex: q.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), $options: 'i' } : undefined
      const filter = {
        ...isLive,
        ...(status?.length && { status: { $in: status } }),
        ...(category?.length && { category: { $in: category } }),
        ...(language?.length && { language: { $in: language } }),
        ...(accountId && { businessAccountId: accountId }),
        ...(containing && { $or: [{ name: containing }, { header: containing }, { body: containing }] }),
      }
      return pageOf(templates(scope), {
        sort: { index: 'latest', field: 'updatedAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: filter as Parameters<ScopedCollection<TemplateRecord>['find']>[0] & object,
        query: { q, status, category, language, accountId },
        limit,
        cursor,
      })
    },
    count: (scope: WorkspaceScope, status?: TemplateRecord['status']) =>
      templates(scope).countDocuments({ ...isLive, ...(status && { status }) }, { hint: 'latest' }),
    languages: async (scope: WorkspaceScope): Promise<string[]> =>
      (await templates(scope).distinct('language', isLive)).map(String),
    read: (scope: WorkspaceScope, id: string) => templates(scope).findOne({ _id: id, ...isLive }),
    /** Reads a template that may be hidden. */
    any: (scope: WorkspaceScope, id: string, { session }: SessionOption) =>
      templates(scope).findOne({ _id: id }, { session }),
    readMany: (scope: WorkspaceScope, ids: readonly string[]) =>
      templates(scope).find({ _id: { $in: ids }, ...isLive }),
    /** One that can still be restored. */
    restorable: (scope: WorkspaceScope, id: string, now: Date) =>
      templates(scope).findOne({ _id: id, restorableUntil: { $gt: now } }),
    /** One that is hidden and still at WhatsApp. */
    hidden: (scope: WorkspaceScope, id: string) => templates(scope).findOne({ _id: id, purge: 'due' }),
    /** Returns hidden templates that keep a name from being used again. */
    hiddenAs: (scope: WorkspaceScope, hiddenKey: string): PromiseLike<TemplateRecord[]> =>
      templates(scope).find({ hiddenKey }).limit(100).hint('hidden'),
    /** Returns templates that are to be deleted at WhatsApp by now. */
    toPurge: (now: Date): PromiseLike<TemplateRecord[]> =>
      doomed({})
        .find({ purgeAt: { $lte: now } })
        .sort({ purgeAt: 1 })
        .limit(100)
        .hint('purge'),
    /** Counts templates of an account as WhatsApp does, hidden ones included. */
    countAtWhatsApp: (scope: WorkspaceScope, businessAccountId: string) =>
      templates(scope).countDocuments(
        { businessAccountId, deletedAt: { $exists: false }, status: { $ne: 'draft' } },
        { hint: 'account' },
      ),
    /** Counts templates of an account that were first submitted to WhatsApp since. */
    countSent: (scope: WorkspaceScope, businessAccountId: string, since: Date) =>
      templates(scope).countDocuments({ businessAccountId, sentAt: { $gt: since } }, { hint: 'sent' }),
    /** Returns templates of an account with the same name, or with the same body. */
    related: (
      scope: WorkspaceScope,
      businessAccountId: string,
      { name, body }: Pick<TemplateRecord, 'name' | 'body'>,
    ): PromiseLike<TemplateRecord[]> =>
      templates(scope)
        .find({ businessAccountId, ...isLive, $or: [{ name }, { body }] })
        .limit(100)
        .hint('account'),
    create: (scope: WorkspaceScope, template: NewTemplateRecord, { session }: SessionOption) =>
      templates(scope).create(template, { session }),
    /** Deletes a template, unless WhatsApp has it. */
    discard: (scope: WorkspaceScope, id: string, { session }: SessionOption) =>
      templates(scope).deleteOne({ _id: id, waTemplateId: { $exists: false } }, { session }),
    /** A draft that is still as it was read. @returns whether it was. */
    removeDraft: async (
      scope: WorkspaceScope,
      { id, version }: Pick<TemplateRecord, 'id' | 'version'>,
      { session }: SessionOption,
    ): Promise<boolean> =>
      (await templates(scope).deleteOne({ _id: id, version, status: 'draft' }, { session })).deletedCount > 0,
    change: (scope: WorkspaceScope, id: string, update: TemplateChange, options: SessionOption = {}) =>
      templates(scope).findOneAndUpdate({ _id: id }, update, options),
    byKey: (scope: WorkspaceScope, key: string, options: SessionOption = {}) =>
      templates(scope).findOne({ key }, options),
    /** Finds a template by its id at WhatsApp, also one that was removed here. */
    byPlatformId: (scope: WorkspaceScope, waTemplateId: string, options: SessionOption = {}) =>
      templates(scope).findOne({ waTemplateId }, options),
    changeIfUnchanged: (
      scope: WorkspaceScope,
      { id, version }: Pick<TemplateRecord, 'id' | 'version'>,
      update: TemplateChange,
      { session }: SessionOption,
    ) => templates(scope).findOneAndUpdate({ _id: id, version }, update, { session }),
    createMany: (scope: WorkspaceScope, records: readonly NewTemplateRecord[], { session }: SessionOption) =>
      templates(scope).insertMany(records, { session }),
    /** Returns all templates of an account, removed ones too. */
    ofAccount: (scope: WorkspaceScope, businessAccountId: string) =>
      templates(scope).find({ businessAccountId }).hint('account'),
    changeVersion: (
      scope: WorkspaceScope,
      change: { id: string; version: number; update: TemplateChange; toAnswer: (record: TemplateRecord) => unknown },
      { session }: SessionOption,
    ) => updateVersion(templates(scope), change, { session }),
  }
}
