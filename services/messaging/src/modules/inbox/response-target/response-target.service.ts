import { noResponseTarget, type ResponseTarget } from '@parley/contracts/inbox/response-target'
import { errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import { type ResponseTargetRecord, responseTargetSchema } from './response-target.model.ts'

/** Stores within how many minutes of opening hours a workspace wants its customers answered. */
export function createResponseTarget(connection: ServiceConnection) {
  const records = workspaceCollection<ResponseTargetRecord>({
    connection,
    name: 'responseTargets',
    schema: responseTargetSchema,
  })

  async function read(scope: WorkspaceScope, options: SessionOption = {}): Promise<ResponseTarget> {
    const record = await records(scope).findOne({}, { hint: 'workspace', ...options })
    return record ? shown(record) : noResponseTarget
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...target }: ResponseTarget): Promise<ResponseTarget> {
    const changed = await storeSetting(records(scope), version, target)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  return { read, update }
}

const shown = ({ firstMinutes, nextMinutes, version }: ResponseTargetRecord): ResponseTarget => ({
  firstMinutes: firstMinutes ?? null,
  nextMinutes: nextMinutes ?? null,
  version,
})
