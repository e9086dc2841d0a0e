import { maxApiKeys } from '@parley/contracts/account/api-keys'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ApiKeyRecord, apiKeySchema } from './api-keys.model.ts'

type NewApiKeyRecord = Omit<
  ApiKeyRecord,
  'id' | 'workspaceId' | 'pending' | 'revokedAt' | 'replacedBy' | 'lastUsedAt' | 'lastUsedIp'
>
type Changes = Partial<
  Pick<ApiKeyRecord, 'name' | 'scopes' | 'numbers' | 'networks' | 'expiresAt' | 'revokedAt' | 'replacedBy' | 'noticeAt'>
>
const maxNotices = 500

export type ApiKeysRepository = ReturnType<typeof createApiKeysRepository>

export function createApiKeysRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'apiKeys', schema: apiKeySchema }
  const keys = workspaceCollection<ApiKeyRecord>(definition)
  /** A key says itself which workspace it is of. */
  const named = scopedCollection<{ publicId: string }, ApiKeyRecord>(definition, ({ publicId }) => ({ publicId }))
  const live = { revokedAt: null }
  const waiting = scopedCollection<object, ApiKeyRecord>(definition, () => ({ pending: 'notice' }))

  return {
    list: (scope: WorkspaceScope): PromiseLike<ApiKeyRecord[]> =>
      keys(scope)
        .find(live)
        .sort({ _id: -1 })
        .limit(2 * maxApiKeys)
        .hint('live-keys'),
    count: (scope: WorkspaceScope, { session }: Required<SessionOption>): Promise<number> =>
      keys(scope).countDocuments(live, { hint: 'live-keys', session }),
    find: (scope: WorkspaceScope, publicId: string) =>
      keys(scope).findOne({ publicId, ...live }, { hint: 'public-id' }),
    create: (scope: WorkspaceScope, record: NewApiKeyRecord, options: Required<SessionOption>) => {
      const unused = { revokedAt: null, replacedBy: null, lastUsedAt: null, lastUsedIp: null }
      return keys(scope).create({ ...record, ...(record.noticeAt && { pending: 'notice' }), ...unused }, options)
    },
    /** @returns the key after the change; `null` where it is not as it was read any more. */
    change: (scope: WorkspaceScope, { publicId, revision }: ApiKeyRecord, changes: Changes, at: Date) => {
      const { noticeAt, ...others } = changes
      const set = { ...others, ...(noticeAt && noticeOn(noticeAt)), changedAt: at }
      const update = { $set: set, $inc: { revision: 1 }, ...('noticeAt' in changes && !noticeAt && noNotice) }
      return keys(scope).findOneAndUpdate({ publicId, revision, ...live }, update)
    },
    /** Keys of all workspaces of whose end members are to be told. */
    withNotice: (now: Date): PromiseLike<ApiKeyRecord[]> =>
      waiting({})
        .find({ noticeAt: { $lte: now } })
        .sort({ noticeAt: 1 })
        .limit(maxNotices)
        .hint('notices'),
    /** @returns whether no one has told of it before. */
    noteNotice: async (
      { workspaceId, publicId, noticeAt }: ApiKeyRecord,
      next: Date | undefined,
      options: Required<SessionOption>,
    ): Promise<boolean> => {
      const update = next ? { $set: noticeOn(next) } : noNotice
      const filter = { publicId, ...live, pending: 'notice', noticeAt: noticeAt ?? { $exists: true } } as const
      return (await keys({ workspaceId }).updateOne(filter, update, options)).modifiedCount > 0
    },
    /** Raises the version of every key of a workspace: each is asked for again. @returns them. */
    raiseAll: async (
      scope: WorkspaceScope,
      at: Date,
      { session }: Required<SessionOption>,
    ): Promise<ApiKeyRecord[]> => {
      const own = keys(scope)
      await own.updateMany(live, { $inc: { revision: 1 }, $set: { changedAt: at } }, { session })
      return own
        .find(live)
        .limit(2 * maxApiKeys)
        .hint('live-keys')
        .session(session ?? null)
    },
    /** Keys of a workspace that a member has made and that still work. */
    liveOf: async (
      scope: WorkspaceScope,
      createdBy: string,
      at: Date,
      { session }: Required<SessionOption>,
    ): Promise<ApiKeyRecord[]> => {
      const own = { ...live, createdBy, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] }
      return keys(scope)
        .find(own)
        .limit(2 * maxApiKeys)
        .hint('live-keys')
        .session(session ?? null)
    },
    byPublicId: (publicId: string) => named({ publicId }).findOne({}, { hint: 'public-id' }),
    noteUse: (publicId: string, lastUsedAt: Date, lastUsedIp: string) =>
      named({ publicId }).updateOne(
        { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: lastUsedAt } }] },
        { $set: { lastUsedAt, lastUsedIp } },
      ),
  }
}

const noticeOn = (noticeAt: Date) => ({ pending: 'notice', noticeAt }) as const
const noNotice = { $unset: { pending: 1, noticeAt: 1 } } as const
