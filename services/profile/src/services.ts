import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { inTransaction, type Tx } from '@parley/service-kit/data/transaction'
import type { Redis } from 'ioredis'
import { createMembersService } from './modules/members/members.service.ts'
import { createProfileRepository } from './modules/profile/profile.repository.ts'
import { createProfileService } from './modules/profile/profile.service.ts'
import { createUserCache } from './modules/profile/user-cache.ts'
import { createSessionContextService } from './modules/session-context/session-context.service.ts'
import { announceMembers, createAccessVersions } from './modules/workspaces/access-versions.ts'
import { createWorkspacesRepository } from './modules/workspaces/workspaces.repository.ts'
import { createWorkspacesService } from './modules/workspaces/workspaces.service.ts'

export interface Dependencies {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly mongo: ServiceConnection
  readonly redis: Redis
}

export type Services = ReturnType<typeof createServices>

/** Wires stores to repositories to services. */
export function createServices({ metrics, mongo, redis }: Dependencies) {
  const cacheRead = metrics.counter({
    name: 'user_cache_reads_total',
    help: 'Reads of users, answered by Redis (hit) or by MongoDB (miss)',
    label: 'result',
    values: ['hit', 'miss'],
  })
  const { announce } = createAccessVersions(redis)
  const workspaces = createWorkspacesService({
    workspaces: createWorkspacesRepository(mongo),
    transaction: announceMembers(<T>(work: (tx: Tx) => Promise<T>) => inTransaction(mongo, work), announce),
    announce,
  })
  const profile = createProfileService({
    users: createProfileRepository(mongo),
    cache: createUserCache({ redis, onRead: (hit) => cacheRead(hit ? 'hit' : 'miss') }),
    workspaces,
  })
  const sessionContext = createSessionContextService({ profile, workspaces })
  const members = createMembersService({ workspaces, personOf: profile.personOf })
  return { profile, sessionContext, members }
}
