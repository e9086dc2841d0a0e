import type { SessionContext, SessionContextRequest } from '@parley/contracts/account/profile-internal'
import type { InvitationsService } from '../invitations/invitations.service.ts'
import type { ProfileService } from '../profile/profile.service.ts'
import type { WorkspacesService } from '../workspaces/workspaces.service.ts'

export function createSessionContextService(deps: {
  profile: Pick<ProfileService, 'recordSignIn' | 'moveHome' | 'noteWorkspace'>
  workspaces: Pick<WorkspacesService, 'enter' | 'createOwned' | 'stateOf'>
  invitations: Pick<InvitationsService, 'acceptAtSignUp'>
}) {
  const { profile, workspaces, invitations } = deps

  /**
   * Opens a session's context: creates user, workspace and membership at the first sign-in, finds them at every other. Who follows an
   * invitation with a new account begins in its workspace. A user who was removed from every workspace gets a new one of their
   * own.
   */
  async function open(signIn: SessionContextRequest): Promise<SessionContext> {
    const { user, reclaim } = await profile.recordSignIn(signIn)
    const { invitation, workspaceId: asked } = signIn
    // A person who has to reclaim the account first comes again.
    if (invitation !== undefined && !reclaim) await invitations.acceptAtSignUp(user, invitation)
    const name = workspaceNameFor(signIn)
    const member =
      (await workspaces.enter(user, { asked, name })) ??
      (await workspaces.createOwned(await profile.moveHome(user), { userId: user.id, name, trial: false }))
    if (asked === member.workspaceId) await profile.noteWorkspace(user, asked)
    const { closing, cell } = await workspaces.stateOf(member)
    return {
      userId: user.id,
      workspaceId: member.workspaceId,
      role: member.role,
      version: member.version,
      ...(closing && { closing }),
      ...(cell !== undefined && { cell }),
      ...(reclaim && { reclaim }),
    }
  }

  return { open }
}

/** In characters; at two code units each the name still fits into a workspace's 80. */
const maxPersonLength = 30

/** Returns the name of a person's first workspace: `Ann's workspace`, from the name claim or else the e-mail address. */
export function workspaceNameFor({ name, email }: { name?: string | undefined; email: string }): string {
  const fromName = name?.trim().split(/\s+/)[0] ?? ''
  const fromEmail =
    email
      .split('@')[0]
      ?.split(/[._+-]/)
      .find((part) => part !== '') ?? ''
  const person = [...(fromName || fromEmail)].slice(0, maxPersonLength).join('')
  if (person === '') return 'My workspace'
  const [first = '', ...rest] = person
  return `${first.toUpperCase()}${rest.join('')}'s workspace`
}
