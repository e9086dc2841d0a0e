import type { Logger } from '@parley/service-kit/core/logger'
import type { Redis } from 'ioredis'
import type { Connection } from 'mongoose'
import { createProfileRepository } from './features/profile/profile.repository.ts'
import { createProfileService } from './features/profile/profile.service.ts'
import { createUserCache } from './features/profile/user-cache.ts'
import { createSessionContextService } from './features/session-context/session-context.service.ts'
import { createWorkspacesRepository } from './features/workspaces/workspaces.repository.ts'
import { createWorkspacesService } from './features/workspaces/workspaces.service.ts'

export interface Dependencies {
  readonly logger: Logger
  readonly mongo: Connection
  readonly redis: Redis
}

export type Services = ReturnType<typeof createServices>

/** Wires stores to repositories to services. */
export function createServices({ mongo, redis }: Dependencies) {
  const workspaces = createWorkspacesService({ workspaces: createWorkspacesRepository(mongo) })
  const profile = createProfileService({
    users: createProfileRepository(mongo),
    cache: createUserCache({ redis }),
    workspaces,
  })
  const sessionContext = createSessionContextService({ profile, workspaces })
  return { profile, sessionContext }
}
