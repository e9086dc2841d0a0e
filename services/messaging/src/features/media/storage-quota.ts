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
  const used = new LRUCache<string, Promise<{ bytes: number }>>({ max: workspacesKept, ttl: countedAnewMs })

  function usedBy(workspaceId: string): Promise<{ bytes: number }> {
    const known = used.get(workspaceId)
    if (known) return known
    const counting = count(workspaceId)
    used.set(workspaceId, counting)
    counting.catch(() => used.delete(workspaceId))
    return counting
  }

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
      const { bytes } = await usedBy(workspaceId)
      if (bytes < limitBytes) return
      throw new AppError(
        'storage_full',
        `The files of this workspace have reached their limit of ${Math.round(limitBytes / bytesPerMb).toLocaleString('en-US')} MB. Ask whoever runs Parley for more.`,
      )
    },
    /** Counts a file that this process has just stored. */
    add: async ({ workspaceId }: WorkspaceScope, sizeBytes: number): Promise<void> => {
      const counted = await used.get(workspaceId)
      if (counted) counted.bytes += sizeBytes
    },
  }
}
