import { randomBytes } from 'node:crypto'
import {
  type Invitation,
  invitationDays,
  invitationPauseSeconds,
  type invitationsApi,
  maxInvitationMails,
} from '@parley/contracts/account/invitations'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import { checkStillMay, checkWithin } from '../members/member-rules.ts'
import { isActive, type MemberRecord } from '../workspaces/workspaces.service.ts'
import { createAnswers, hashOf, type InvitationDependencies, invitationEnded } from './answers.ts'
import type { InvitationRecord } from './invitations.repository.ts'

export type InvitationsService = ReturnType<typeof createInvitationsService>

const dayMs = 86_400_000

/** Invitations of a workspace: who may come, as what, and what became of the mail. */
export function createInvitationsService(deps: InvitationDependencies) {
  const {
    invitations,
    workspaces,
    records,
    seats,
    mails,
    personOf,
    askPlan,
    transaction,
    now = () => new Date(),
  } = deps
  const answers = createAnswers(deps)

  async function list(ctx: UserContext): Promise<Invitation[]> {
    const found = await invitations.list(ctx)
    const states = await mails.statesOf(
      ctx,
      found.map(({ mailId }) => mailId),
    )
    return found.map((record) => toInvitation(record, states.get(record.mailId), now()))
  }

  /**
   * Invites a person: invitation, seat and mail are one transaction.
   * @throws `plan_limit`, `member_exists`, `invitation_exists`, `forbidden`, `rate_limited`; `service_unavailable` while the plan
   * cannot be asked for.
   */
  async function create(
    ctx: UserContext,
    { email, role }: EndpointInput<typeof invitationsApi.create>['body'],
  ): Promise<Invitation> {
    const [{ teamMembers, ended }] = await Promise.all([askPlan(ctx), seats.ensure(ctx), answers.expireIn(ctx)])
    if (ended) throw trialEnded()
    await refuseMember(ctx, email)
    const letter = await newLetter(ctx, { email, role })
    const created = await transaction(async (tx) => {
      const { session } = tx
      checkWithin((await inviterOf(ctx, tx)).role, role)
      if (await invitations.openFor(ctx, email, { session })) throw invitationExists(email)
      await seats.countMail(ctx, letter.sentAt, { session })
      await seats.take(ctx, teamMembers, { session })
      const mail = await mails.order(ctx, letter.mail, { session })
      const { tokenHash, expiresAt, sentAt } = letter
      const invitation = { email, role, tokenHash, expiresAt, sentAt, invitedBy: ctx.userId, mailId: mail.id }
      return invitations.create(ctx, invitation, { session })
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw invitationExists(email)
      throw error
    })
    await mails.wake({ id: created.mailId, workspaceId: ctx.workspaceId })
    return toInvitation(created, { state: 'queued' }, now())
  }

  /** Sends an open invitation once more, with another link. @throws `not_found`, `invitation_ended`, `rate_limited`, `wrong_state`. */
  async function resend(ctx: UserContext, id: string): Promise<Invitation> {
    await seats.ensure(ctx)
    const known = isId(id) ? await invitations.find(ctx, id) : null
    if (!known) throw noInvitation()
    const letter = await newLetter(ctx, known)
    const renewed = await transaction(async (tx) => {
      const { session } = tx
      const inviter = await inviterOf(ctx, tx)
      const current = await invitations.find(ctx, id, { session })
      if (current?.state !== 'open' || current.expiresAt <= now()) throw invitationEnded()
      checkWithin(inviter.role, current.role)
      checkPause(current, letter.sentAt)
      await seats.countMail(ctx, letter.sentAt, { session })
      await mails.cancel(ctx, current.mailId, { session })
      const mail = await mails.order(ctx, letter.mail, { session })
      const { tokenHash, expiresAt, sentAt } = letter
      return invitations.renew(ctx, id, { tokenHash, expiresAt, sentAt, mailId: mail.id }, { session })
    })
    if (!renewed) throw invitationEnded()
    await mails.wake({ id: renewed.mailId, workspaceId: ctx.workspaceId })
    return toInvitation(renewed, { state: 'queued' }, now())
  }

  /** @throws `not_found`, `invitation_ended`. */
  async function revoke(ctx: UserContext, id: string): Promise<void> {
    await seats.ensure(ctx)
    await transaction(async (tx) => {
      const { session } = tx
      const inviter = await inviterOf(ctx, tx)
      const current = isId(id) ? await invitations.find(ctx, id, { session }) : null
      if (!current) throw noInvitation()
      checkWithin(inviter.role, current.role)
      if (!(await invitations.end(ctx, id, 'revoked', { session }))) throw invitationEnded()
      await seats.add(ctx, { taken: -1 }, { session })
      await mails.cancel(ctx, current.mailId, { session })
    })
  }

  /** The caller's membership at this moment, with the permission to invite. */
  async function inviterOf(ctx: UserContext, { session }: Tx): Promise<MemberRecord> {
    const caller = await records.findMember(ctx, ctx.userId, { session })
    if (!caller || !isActive(caller)) throw errors.notFound('You are not a member of this workspace any more.')
    checkStillMay(caller.role, 'members:invite')
    return caller
  }

  async function refuseMember(ctx: UserContext, email: string): Promise<void> {
    const members = await Promise.all((await workspaces.activeMembers(ctx)).map(({ userId }) => personOf(userId)))
    if (members.some((member) => member.email.toLowerCase() === email))
      throw new AppError('member_exists', `${email} is a member of this workspace already.`)
  }

  /** A mail with a link of its own. */
  async function newLetter(ctx: UserContext, { email, role }: Pick<InvitationRecord, 'email' | 'role'>) {
    const token = randomBytes(32).toString('base64url')
    const sentAt = now()
    const expiresAt = new Date(sentAt.getTime() + invitationDays * dayMs)
    const [workspace, { name: inviter }] = await Promise.all([workspaces.nameOf(ctx), personOf(ctx.userId)])
    const values = { workspace, inviter, role, token, until: dayFormat.format(expiresAt) }
    return { sentAt, expiresAt, tokenHash: hashOf(token), mail: { to: email, template: 'invitation' as const, values } }
  }

  return { list, create, resend, revoke, ...answers }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** @throws `rate_limited` too soon after the latest mail, `wrong_state` where there were enough. */
function checkPause({ sentAt, sends }: InvitationRecord, now: Date): void {
  if (sends >= maxInvitationMails)
    throw errors.wrongState(
      `This invitation was sent ${maxInvitationMails} times. Revoke it, check the address, and invite again.`,
    )
  const leftMs = sentAt.getTime() + invitationPauseSeconds * 1000 - now.getTime()
  if (leftMs > 0)
    throw errors.rateLimited(Math.ceil(leftMs / 1000), 'The mail was just sent. Wait a minute before sending it again.')
}

function toInvitation(record: InvitationRecord, mail: Invitation['mail'] = { state: 'sent' }, now: Date): Invitation {
  const { id, email, role, state, expiresAt, invitedBy, sentAt, sends, version, createdAt, updatedAt } = record
  return {
    id,
    email,
    role,
    state: state === 'open' && expiresAt <= now ? 'expired' : state,
    expiresAt: expiresAt.toISOString(),
    invitedBy,
    sentAt: sentAt.toISOString(),
    sends,
    mail,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

const noInvitation = () => errors.notFound('There is no such invitation.')
const invitationExists = (email: string) =>
  new AppError('invitation_exists', `${email} has an open invitation. Send it again, or revoke it first.`)
const trialEnded = () => new AppError('plan_limit', 'Your trial is over. Choose a plan to invite people.')
