import { maxApiKeys } from '@parley/contracts/account/api-keys'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ApiKeyRecord, apiKeySchema } from './api-keys.model.ts'

type NewApiKeyRecord = Omit<
  ApiKeyRecord,
  'id' | 'workspaceId' | 'revokedAt' | 'replacedBy' | 'lastUsedAt' | 'lastUsedIp'
>
type Changes = Partial<
  Pick<ApiKeyRecord, 'name' | 'scopes' | 'numbers' | 'networks' | 'expiresAt' | 'revokedAt' | 'replacedBy'>
>

export type ApiKeysRepository = ReturnType<typeof createApiKeysRepository>

export function createApiKeysRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'apiKeys', schema: apiKeySchema }
  const keys = workspaceCollection<ApiKeyRecord>(definition)
  /** A key says itself which workspace it is of. */
  const named = scopedCollection<{ publicId: string }, ApiKeyRecord>(definition, ({ publicId }) => ({ publicId }))
  const live = { revokedAt: null }

  return {
    list: (scope: WorkspaceScope): PromiseLike<ApiKeyRecord[]> =>
      keys(scope)
        .find(live)
        .sort({ _id: -1 })
        .limit(2 * maxApiKeys)
        .hint('live-keys'),
    count: (scope: WorkspaceScope): Promise<number> => keys(scope).countDocuments(live, { hint: 'live-keys' }),
    find: (scope: WorkspaceScope, publicId: string) =>
      keys(scope).findOne({ publicId, ...live }, { hint: 'public-id' }),
    create: (scope: WorkspaceScope, record: NewApiKeyRecord) =>
      keys(scope).create({ ...record, revokedAt: null, replacedBy: null, lastUsedAt: null, lastUsedIp: null }),
    /** @returns the key after the change; `null` where it is not as it was read any more. */
    change: (scope: WorkspaceScope, { publicId, revision }: ApiKeyRecord, changes: Changes, at: Date) =>
      keys(scope).findOneAndUpdate(
        { publicId, revision, ...live },
        { $set: { ...changes, changedAt: at }, $inc: { revision: 1 } },
      ),
    byPublicId: (publicId: string) => named({ publicId }).findOne({}, { hint: 'public-id' }),
    noteUse: (publicId: string, lastUsedAt: Date, lastUsedIp: string) =>
      named({ publicId }).updateOne(
        { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: lastUsedAt } }] },
        { $set: { lastUsedAt, lastUsedIp } },
      ),
  }
}
