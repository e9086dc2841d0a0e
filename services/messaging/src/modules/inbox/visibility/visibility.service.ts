import type { Role } from '@parley/contracts/account/permissions'
import { defaultVisibility, type Visibility } from '@parley/contracts/inbox/visibility'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import { LRUCache } from 'lru-cache'
import { type VisibilityRecord, visibilitySchema } from './visibility.model.ts'

/** Member of a workspace, as their token names them. */
export interface SeeingMember extends WorkspaceScope {
  readonly userId: string
  readonly role: Role
}

export type VisibilityService = ReturnType<typeof createVisibility>

const maxKept = 10_000
/** Milliseconds until a change that another process has made counts here; one of this process counts at once. */
const keptMs = 500

/** Stores which conversations agents see. */
export function createVisibility(connection: ServiceConnection, clock: { now: () => number } = performance) {
  const kept = new LRUCache<string, Promise<Visibility>>({ max: maxKept, ttl: keptMs, ttlResolution: 0, perf: clock })
  const records = workspaceCollection<VisibilityRecord>({ connection, name: 'visibility', schema: visibilitySchema })

  async function read({ workspaceId }: WorkspaceScope): Promise<Visibility> {
    const record = await records({ workspaceId }).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultVisibility
  }

  /** @throws `stale_version`. */
  async function update(scope: WorkspaceScope, { version, ...setting }: Visibility): Promise<Visibility> {
    const changed = await storeSetting(records(scope), version, setting)
    kept.delete(scope.workspaceId)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  /** Returns the setting as of a moment ago: calls of agents need it all the time. */
  function recent({ workspaceId }: WorkspaceScope): Promise<Visibility> {
    const known = kept.get(workspaceId)
    if (known) return known
    const reading = read({ workspaceId })
    kept.set(workspaceId, reading)
    reading.catch(() => kept.delete(workspaceId))
    return reading
  }

  /** Returns the member's user id where they see their own conversations alone. The role is that of their token. */
  async function viewerOf({ userId, role, ...scope }: SeeingMember): Promise<string | undefined> {
    if (role !== 'agent') return undefined
    return (await recent(scope)).agentSees === 'own' ? userId : undefined
  }

  return { read, update, viewerOf }
}

const shown = ({ agentSees, version }: VisibilityRecord): Visibility => ({ agentSees, version })
