import { createHash } from 'node:crypto'
import type { InvitationPreview } from '@parley/contracts/account/invitation-preview'
import { invitationsApi } from '@parley/contracts/account/invitations'
import { profileTokenClaimsSchema } from '@parley/contracts/core/internal-token'
import { callOf, runAudited } from '@parley/service-kit/core/call-context'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { MailsService } from '../mails/mails.service.ts'
import type { ProfileService } from '../profile/profile.service.ts'
import { recordMember } from '../workspaces/record-member.ts'
import type { Seats } from '../workspaces/seats.ts'
import { isActive, type WorkspacesRepository, type WorkspacesService } from '../workspaces/workspaces.service.ts'
import type { InvitationRecord, InvitationsRepository } from './invitations.repository.ts'

/** Reads what the plan of a workspace allows. @throws `service_unavailable` where that cannot be known. */
export type AskPlan = (scope: WorkspaceScope) => Promise<{ teamMembers?: number | undefined; ended: boolean }>

export interface InvitationDependencies {
  readonly invitations: InvitationsRepository
  readonly workspaces: Pick<WorkspacesService, 'activeMembers' | 'nameOf'>
  readonly records: Pick<
    WorkspacesRepository,
    'find' | 'findMember' | 'addMember' | 'changeMember' | 'oldestMembership'
  >
  readonly seats: Seats
  readonly mails: MailsService
  readonly personOf: ProfileService['personOf']
  readonly askPlan: AskPlan
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

/** The secret is random: a slow hash would add nothing. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Actions of the invited: look, accept, decline. Only a verified address that is the invited one answers. */
export function createAnswers(deps: InvitationDependencies) {
  const { invitations, workspaces, records, seats, personOf, transaction, now = () => new Date() } = deps

  /** Returns what an open invitation says, by the secret of its link. @throws `invitation_ended`, for an unknown secret too. */
  async function preview(token: string): Promise<InvitationPreview> {
    const found = await invitations.byToken(hashOf(token))
    if (!found || !isOpen(found)) throw invitationEnded()
    return toPreview(found)
  }

  /** Open invitations for the caller's verified address. */
  async function mine(ctx: UserContext): Promise<InvitationPreview[]> {
    const address = verifiedAddress(ctx)
    if (address === undefined) return []
    return Promise.all((await invitations.openByAddress(address)).filter(isOpen).map(toPreview))
  }

  /** @throws `not_found`, `invitation_ended`, `invitation_other_address`. */
  async function accept(ctx: UserContext, id: string, token: string | undefined): Promise<{ workspaceId: string }> {
    const invitation = await forCaller(ctx, id, token)
    await join(invitation, ctx.userId)
    return { workspaceId: invitation.workspaceId }
  }

  /** @throws `not_found`, `invitation_ended`, `invitation_other_address`. */
  async function decline(ctx: UserContext, id: string, token: string | undefined): Promise<void> {
    const invitation = await forCaller(ctx, id, token)
    await seats.ensure(invitation)
    await transaction((tx) => end(invitation, 'declined', tx))
  }

  /**
   * Accepts for an account that follows the link before it belongs to any workspace. The link came by the mailbox, so that its
   * address must be the account's, and verified. An invitation that does not fit or has ended changes nothing.
   */
  async function acceptAtSignUp(
    user: { id: string; email: string; emailVerified: boolean },
    token: string,
  ): Promise<void> {
    const invitation = await invitations.byToken(hashOf(token))
    if (!invitation || !isOpen(invitation)) return
    if (!user.emailVerified || user.email.toLowerCase() !== invitation.email) return
    if (await records.oldestMembership(user.id)) return
    // The sign-in itself comes from the BFF: the entry is that of the new member, as when they accept in the app.
    const call = callOf({
      workspaceId: invitation.workspaceId,
      actor: { kind: 'member', id: user.id },
      action: invitationsApi.accept.operation,
      targets: [{ kind: 'invitations', id: invitation.id }],
    })
    await runAudited(call, () => join(invitation, user.id)).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'invitation_ended')) throw error
    })
  }

  /** Makes the user a member in the seat of the invitation; a membership that had ended is the same one again. */
  async function join(invitation: InvitationRecord, userId: string): Promise<void> {
    const { id, workspaceId, role } = invitation
    const scope = { workspaceId }
    await seats.ensure(scope)
    await transaction(async (tx) => {
      const { session } = tx
      const accepted = isOpen(invitation) && (await invitations.end(scope, id, 'accepted', { session }))
      const workspace = await records.find(scope, { session })
      if (!accepted || !workspace || workspace.deletion) throw invitationEnded()
      const known = await records.findMember(scope, userId, { session })
      // A person who is a member already keeps their role; the invitation's seat is free.
      if (known && isActive(known)) return seats.add(scope, { taken: -1 }, { session })
      const member = known
        ? await records.changeMember(scope, known.id, { role, status: 'active' }, { session })
        : await records.addMember(scope, { userId, role }, { session })
      if (role === 'owner') await seats.add(scope, { owners: 1 }, { session })
      recordMember(tx, member, { kind: 'user', id: userId })
    })
  }

  /** Ends an open invitation and frees its seat. @throws `invitation_ended`. */
  async function end(invitation: InvitationRecord, state: 'declined' | 'expired', { session }: Tx): Promise<void> {
    if (!(await invitations.end(invitation, invitation.id, state, { session }))) throw invitationEnded()
    await seats.add(invitation, { taken: -1 }, { session })
  }

  async function forCaller(ctx: UserContext, id: string, token: string | undefined): Promise<InvitationRecord> {
    const address = verifiedAddress(ctx)
    const own = address === undefined || !isId(id) ? null : await invitations.byAddress(address, id)
    if (own && !isOpen(own)) throw invitationEnded()
    if (own) return own
    const followed = token === undefined ? null : await invitations.byToken(hashOf(token))
    if (followed?.id === id) throw otherAddress()
    throw errors.notFound('There is no such invitation for your address.')
  }

  /** Ends invitations whose time is over: their seats are free. */
  async function expire(due: readonly InvitationRecord[]): Promise<void> {
    for (const invitation of due) {
      await seats.ensure(invitation)
      await transaction((tx) => end(invitation, 'expired', tx)).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'invitation_ended')) throw error
      })
    }
  }
  const expireIn = async (scope: WorkspaceScope) => expire(await invitations.dueIn(scope, now()))
  const expireAll = async () => expire(await invitations.due(now()))

  const isOpen = ({ state, expiresAt }: InvitationRecord): boolean => state === 'open' && expiresAt > now()

  async function toPreview({ id, workspaceId, email, role, invitedBy }: InvitationRecord): Promise<InvitationPreview> {
    const [workspaceName, { name: inviter }] = await Promise.all([
      workspaces.nameOf({ workspaceId }),
      personOf(invitedBy),
    ])
    return { id, workspaceName, inviter, email, role }
  }

  return { preview, mine, accept, decline, acceptAtSignUp, expireIn, expireAll }
}

/** The address of the session, as the identity provider has proven it; `undefined` while it has not. */
function verifiedAddress({ claims }: UserContext): string | undefined {
  const { data } = profileTokenClaimsSchema.safeParse(claims)
  if (!data) throw errors.unauthenticated({ detail: "the token lacks the identity provider's claims" })
  return data.email_verified ? data.email.toLowerCase() : undefined
}

export const invitationEnded = () =>
  new AppError(
    'invitation_ended',
    'This invitation is over: it was used, withdrawn, replaced by a newer mail, or is older than a week. Ask for another one.',
  )

const otherAddress = () =>
  new AppError(
    'invitation_other_address',
    'This invitation is for another address than the one that you are signed in with. Sign in with the invited address.',
  )
