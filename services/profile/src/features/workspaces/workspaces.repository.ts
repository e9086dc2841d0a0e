import { createScopedRepository, createTenantRepository, type Tenant } from '@parley/service-kit/data/tenant-repository'
import type { Connection } from 'mongoose'
import { type MemberRecord, memberSchema, type WorkspaceRecord, workspaceSchema } from './workspaces.model.ts'

export type WorkspacesRepository = ReturnType<typeof createWorkspacesRepository>

export function createWorkspacesRepository(connection: Connection) {
  const workspaces = createScopedRepository<Tenant, WorkspaceRecord>(
    { connection, name: 'workspaces', schema: workspaceSchema },
    ({ workspaceId }) => ({ _id: workspaceId }),
  )
  const members = createTenantRepository<MemberRecord>({ connection, name: 'members', schema: memberSchema })

  return {
    find: (tenant: Tenant) => workspaces.findOne(tenant),
    findMember: (tenant: Tenant, userId: string) => members.findOne(tenant, { userId }),
    /** Leaves a workspace that exists as it is. */
    createOnce: (tenant: Tenant, workspace: { name: string; ownerId: string }) =>
      workspaces.upsertOne(tenant, {}, { $setOnInsert: workspace }),
    /** Leaves a membership that exists as it is. */
    addMemberOnce: (tenant: Tenant, { userId, role }: Pick<MemberRecord, 'userId' | 'role'>) =>
      members.upsertOne(tenant, { userId }, { $setOnInsert: { role, version: 1 } }),
  }
}
