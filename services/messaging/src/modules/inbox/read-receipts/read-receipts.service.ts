import { defaultReadReceipts, type ReadReceipts } from '@parley/contracts/inbox/read-receipts'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import { type ReadReceiptsRecord, readReceiptsSchema } from './read-receipts.model.ts'

export type ReadReceiptsService = ReturnType<typeof createReadReceipts>

/** Stores whether customers see that their messages were read and that a member is typing. */
export function createReadReceipts(connection: ServiceConnection) {
  const records = workspaceCollection<ReadReceiptsRecord>({
    connection,
    name: 'readReceipts',
    schema: readReceiptsSchema,
  })

  async function read(scope: WorkspaceScope): Promise<ReadReceipts> {
    const record = await records(scope).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultReadReceipts
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...setting }: ReadReceipts): Promise<ReadReceipts> {
    const changed = await storeSetting(records(scope), version, setting)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  return { read, update }
}

const shown = ({ read, typing, version }: ReadReceiptsRecord): ReadReceipts => ({ read, typing, version })
