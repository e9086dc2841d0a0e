import type { SessionContext, SessionContextRequest } from '@parley/contracts/profile'
import type { ProfileService } from '../profile/profile.service.ts'
import { workspaceNameFor } from '../workspaces/workspace-name.ts'
import type { WorkspacesService } from '../workspaces/workspaces.service.ts'

export function createSessionContextService(deps: {
  profile: Pick<ProfileService, 'recordSignIn'>
  workspaces: Pick<WorkspacesService, 'ensureOwned'>
}) {
  /** Who a sign-in is, here: creates user, workspace and membership at the first one, finds them at every other. */
  async function open(signIn: SessionContextRequest): Promise<SessionContext> {
    const { user, reclaim } = await deps.profile.recordSignIn(signIn)
    const tenant = { workspaceId: user.homeWorkspaceId }
    const member = await deps.workspaces.ensureOwned(tenant, { userId: user.id, name: workspaceNameFor(signIn) })
    return {
      userId: user.id,
      workspaceId: tenant.workspaceId,
      role: member.role,
      version: member.version,
      ...(reclaim && { reclaim }),
    }
  }

  return { open }
}
