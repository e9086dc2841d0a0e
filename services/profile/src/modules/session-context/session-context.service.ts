import type { SessionContext, SessionContextRequest } from '@parley/contracts/account/profile'
import type { ProfileService } from '../profile/profile.service.ts'
import { workspaceNameFor } from '../workspaces/workspace-name.ts'
import type { WorkspacesService } from '../workspaces/workspaces.service.ts'

export function createSessionContextService(deps: {
  profile: Pick<ProfileService, 'recordSignIn' | 'moveHome'>
  workspaces: Pick<WorkspacesService, 'enter' | 'createOwned'>
}) {
  const { profile, workspaces } = deps

  /**
   * Opens a session's context: creates user, workspace and membership at the first sign-in, finds them at every other. A user who
   * was removed from every workspace gets a new one of their own.
   */
  async function open(signIn: SessionContextRequest): Promise<SessionContext> {
    const { user, reclaim } = await profile.recordSignIn(signIn)
    const name = workspaceNameFor(signIn)
    const member =
      (await workspaces.enter(user, name)) ??
      (await workspaces.createOwned(await profile.moveHome(user), { userId: user.id, name }))
    return {
      userId: user.id,
      workspaceId: member.workspaceId,
      role: member.role,
      version: member.version,
      ...(reclaim && { reclaim }),
    }
  }

  return { open }
}
