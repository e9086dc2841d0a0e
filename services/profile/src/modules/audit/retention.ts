import { type AuditRetention, defaultAuditRetention } from '@parley/contracts/account/audit'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import { type RetentionRecord, retentionSchema } from './audit.model.ts'

/** Stores for how long workspaces keep the entries of their audit logs. */
export function createAuditRetention(connection: ServiceConnection) {
  const records = workspaceCollection<RetentionRecord>({
    connection,
    name: 'auditRetention',
    schema: retentionSchema,
  })

  async function read(scope: WorkspaceScope): Promise<AuditRetention> {
    const record = await records(scope).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultAuditRetention
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...setting }: AuditRetention): Promise<AuditRetention> {
    const changed = await storeSetting(records(scope), version, setting)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  return { read, update }
}

const shown = ({ days, version }: RetentionRecord): AuditRetention => ({ days, version })
