import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, storedFields, timeSchema } from '../core/records.ts'
import { emailSchema } from './auth.ts'
import { invitationPreviewSchema, invitationTokenSchema } from './invitation-preview.ts'
import { roleSchema } from './permissions.ts'

/** Maximum mails of one invitation, the first one included. */
export const maxInvitationMails = 5
/** Seconds between two mails of an invitation. */
export const invitationPauseSeconds = 60
/** Days for which the link of an invitation works after its latest mail. */
export const invitationDays = 7

const invitationStates = ['open', 'accepted', 'declined', 'revoked', 'expired'] as const

/** `unknown`: the connection was lost after the mail was handed over; it may have arrived. */
const mailStates = ['queued', 'sent', 'failed', 'unknown'] as const

const invitationSchema = z.object({
  ...storedFields,
  email: z.string().max(254),
  role: roleSchema,
  state: z.enum(invitationStates),
  expiresAt: timeSchema,
  /** User id of the member who sent it. */
  invitedBy: idSchema,
  /** Time at which the latest mail was ordered, and the number of mails. */
  sentAt: timeSchema,
  sends: z.number().int().positive(),
  mail: z.object({ state: z.enum(mailStates), reason: z.string().max(300).optional() }),
})
export type Invitation = z.infer<typeof invitationSchema>

const maxListed = 100

const answerSchema = z.object({
  /** Token of the link that was followed: tells an invitation for another address from one that does not exist. */
  token: invitationTokenSchema.optional(),
})

/** Invitations of a workspace, and those for the address of the signed-in person. */
export const invitationsApi = {
  list: defineEndpoint({
    operation: 'invitations.list',
    method: 'GET',
    path: '/api/invitations',
    access: 'session',
    permission: 'members:invite',
    summary: 'The latest invitations of the workspace, the newest first, with what became of them and of their mails.',
    status: 200,
    response: z.object({ items: z.array(invitationSchema).max(maxListed) }),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'invitations.create',
    method: 'POST',
    path: '/api/invitations',
    access: 'session',
    permission: 'members:invite',
    summary:
      'Invites a person by mail. It takes a seat of the plan until it is accepted, declined, revoked or expired.',
    body: z.object({ email: emailSchema, role: roleSchema }),
    status: 201,
    response: invitationSchema,
    errors: ['plan_limit', 'member_exists', 'invitation_exists', 'rate_limited', 'service_unavailable'],
  }),
  resend: defineEndpoint({
    operation: 'invitations.resend',
    method: 'POST',
    path: '/api/invitations/:id/resend',
    access: 'session',
    permission: 'members:invite',
    summary: 'Sends an open invitation once more with a new link; the link before works no more.',
    params: byId,
    status: 200,
    response: invitationSchema,
    errors: ['not_found', 'invitation_ended', 'rate_limited', 'wrong_state'],
  }),
  revoke: defineEndpoint({
    operation: 'invitations.revoke',
    method: 'DELETE',
    path: '/api/invitations/:id',
    access: 'session',
    permission: 'members:invite',
    summary: 'Ends an open invitation: its link works no more.',
    params: byId,
    status: 204,
    errors: ['not_found', 'invitation_ended'],
  }),
  mine: defineEndpoint({
    operation: 'invitations.mine',
    method: 'GET',
    path: '/api/invitations/mine',
    access: 'session',
    permission: 'self',
    summary: 'Open invitations for the verified address of the signed-in person, into any workspace.',
    status: 200,
    response: z.object({ items: z.array(invitationPreviewSchema).max(maxListed) }),
    errors: [],
  }),
  accept: defineEndpoint({
    operation: 'invitations.accept',
    method: 'POST',
    path: '/api/invitations/mine/:id/accept',
    access: 'session',
    permission: 'self',
    summary: 'Accepts an invitation for the verified address of the signed-in person. The session stays where it is.',
    params: byId,
    body: answerSchema,
    status: 200,
    response: z.object({ workspaceId: idSchema }),
    errors: ['not_found', 'invitation_ended', 'invitation_other_address'],
  }),
  decline: defineEndpoint({
    operation: 'invitations.decline',
    method: 'POST',
    path: '/api/invitations/mine/:id/decline',
    access: 'session',
    permission: 'self',
    summary: 'Declines an invitation for the verified address of the signed-in person.',
    params: byId,
    body: answerSchema,
    status: 204,
    errors: ['not_found', 'invitation_ended', 'invitation_other_address'],
  }),
}
