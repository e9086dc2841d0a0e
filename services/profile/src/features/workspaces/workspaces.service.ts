import type { Tenant } from '@parley/service-kit/data/tenant-repository'
import type { MemberRecord } from './workspaces.model.ts'
import type { WorkspacesRepository } from './workspaces.repository.ts'

/**
 * Nothing changes a role or ends a membership yet: a user owns the one workspace that comes with them. Whoever adds that has to
 * publish `membership.changed` and let the BFF drop, on hearing it, the `context` that each session keeps: until then a session would
 * go on with its old role until the next sign-in.
 */
export type WorkspacesService = ReturnType<typeof createWorkspacesService>

export function createWorkspacesService({ workspaces }: { workspaces: WorkspacesRepository }) {
  /**
   * Makes sure that a user's own workspace and the membership in it exist. Each step finds what an earlier call left, so a
   * call repeated after a crash completes it, and racing calls end in the same records.
   */
  async function ensureOwned(tenant: Tenant, owner: { userId: string; name: string }): Promise<MemberRecord> {
    await workspaces.createOnce(tenant, { name: owner.name, ownerId: owner.userId })
    return workspaces.addMemberOnce(tenant, { userId: owner.userId, role: 'owner' })
  }

  /** Name of the context's workspace; `undefined` where the user is no member of it. */
  async function nameForMember(ctx: Tenant & { readonly userId: string }): Promise<string | undefined> {
    const [workspace, member] = await Promise.all([workspaces.find(ctx), workspaces.findMember(ctx, ctx.userId)])
    return member ? workspace?.name : undefined
  }

  return { ensureOwned, nameForMember }
}
