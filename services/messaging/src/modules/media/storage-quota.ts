import { AppError } from '@parley/service-kit/core/errors'
import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { LRUCache } from 'lru-cache'

/** Files that other processes store or remove meanwhile count this late. */
const countedAnewMs = 60_000
const workspacesKept = 10_000
const bytesPerMb = 1024 * 1024

export type StorageQuota = ReturnType<typeof createStorageQuota>

/**
 * Holds what members upload to a workspace's share of the store. Files that customers send count and are never refused.
 * @param limitBytes of all stored files of one workspace.
 */
export function createStorageQuota(connection: ServiceConnection, limitBytes: number) {
  const used = new LRUCache<string, { bytes: number }>({ max: workspacesKept, ttl: countedAnewMs, fetchMethod: count })

  async function count(workspaceId: string): Promise<{ bytes: number }> {
    const [total] = await fullConnection(connection)
      .collection('media')
      .aggregate<{ bytes: number }>(
        [{ $match: { workspaceId, state: 'stored' } }, { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } }],
        { hint: 'content' },
      )
      .toArray()
    return { bytes: total?.bytes ?? 0 }
  }

  return {
    /** @throws `storage_full` where the workspace has used its share. */
    requireRoom: async ({ workspaceId }: WorkspaceScope): Promise<void> => {
      const { bytes } = await used.forceFetch(workspaceId)
      if (bytes < limitBytes) return
      throw new AppError(
        'storage_full',
        `The files of this workspace have reached their limit of ${Math.round(limitBytes / bytesPerMb).toLocaleString('en-US')} MB. Ask whoever runs Parley for more.`,
      )
    },
    /** Counts a file that this process has just stored. */
    add: ({ workspaceId }: WorkspaceScope, sizeBytes: number): void => {
      const counted = used.get(workspaceId)
      if (counted) counted.bytes += sizeBytes
    },
  }
}
