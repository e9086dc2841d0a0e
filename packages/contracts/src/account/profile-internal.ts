import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, listOf, timeSchema } from '../core/records.ts'
import { cellNameSchema } from './cells.ts'
import { invitationPreviewSchema, invitationTokenSchema } from './invitation-preview.ts'
import { roleSchema } from './permissions.ts'

/** Sign-in method of an account: `password`, or the alias of a federated provider (`google`). */
export const signInProviderSchema = z.string().min(1).max(64)

const sessionContextRequestSchema = z.object({
  iss: z.url().max(300),
  sub: z.string().min(1).max(255),
  email: z.string().max(254),
  emailVerified: z.boolean(),
  name: z.string().max(200).optional(),
  picture: z.string().max(2048).optional(),
  provider: signInProviderSchema,
  /** Time at which the provider issued these claims, in seconds since 1970: older ones do not replace newer ones. */
  claimsIat: z.number().int().nonnegative().optional(),
  /** Time at which the browser went to the provider; of a federated sign-in. An address proven later proves nothing about earlier. */
  startedAt: z.iso.datetime().optional(),
  /** The workspace that the session is to be in; absent: the one that was used last. */
  workspaceId: idSchema.optional(),
  /** Token of an invitation that a new account follows: it begins in that workspace, if the invitation is for its address. */
  invitation: invitationTokenSchema.optional(),
  /** True once the account has been reclaimed from the person who may have set its password, as `reclaim` asked. */
  reclaimed: z.boolean().optional(),
})
export type SessionContextRequest = z.infer<typeof sessionContextRequestSchema>

export const sessionContextSchema = z.object({
  userId: z.string(),
  workspaceId: z.string(),
  role: roleSchema,
  /** Raised whenever role or membership changes. */
  version: z.number().int().nonnegative(),
  /** Set while the workspace is being deleted: its owners may read and restore it, and nobody else is let in. */
  closing: z.literal(true).optional(),
  /** Cell that holds the workspace; absent: the home cell. */
  cell: cellNameSchema.optional(),
  /**
   * True at the first federated sign-in to an account whose address no earlier password session has proven: another person may
   * have set its password. No session may start before `identityApi.reclaimAccount`, the end of the account's other sessions, and
   * a second call with `reclaimed: true`. Profile data entered before is erased already.
   */
  reclaim: z.literal(true).optional(),
})
export type SessionContext = z.infer<typeof sessionContextSchema>

/**
 * Redis key under which the profile service says the newest version of a membership as a decimal number: `version` of a
 * {@link SessionContext} that is lower is out of date. Absent where nothing has changed for long.
 */
export const accessKey = ({ userId, workspaceId }: Pick<SessionContext, 'userId' | 'workspaceId'>): string =>
  `access:{${userId}}:${workspaceId}`

const objectIdSchema = z.string().regex(/^[0-9a-f]{24}$/)

/** Facts for other processes about a user who is or was a member of a workspace. */
const memberFactsSchema = z.object({
  /** User id. */
  id: z.string(),
  name: z.string().max(120),
  email: z.string().max(254).optional(),
  role: roleSchema,
  /** False once the membership has ended. */
  active: z.boolean(),
  /** Time at which they joined; absent from a version before. */
  since: timeSchema.optional(),
})
export type MemberFacts = z.infer<typeof memberFactsSchema>

/** User ids in one call of `profileInternalApi.members`. */
export const maxMemberFacts = 100

/** Members in one call of `profileInternalApi.membersSeen`. */
export const maxMembersSeen = 1000

/** Members who are told of a request at most. */
export const maxDeciders = 200

/** Calls of the profile service for other Parley processes only. */
export const profileInternalApi = {
  sessionContext: defineEndpoint({
    operation: 'profile.sessionContext',
    method: 'POST',
    path: '/internal/session-context',
    access: 'service',
    callers: ['bff'],
    summary: 'Idempotent upsert of user, workspace and owner membership for a sign-in.',
    body: sessionContextRequestSchema,
    status: 200,
    response: sessionContextSchema,
    errors: [],
  }),
  invitationPreview: defineEndpoint({
    operation: 'profile.invitationPreview',
    method: 'POST',
    path: '/internal/invitation-preview',
    access: 'service',
    callers: ['bff'],
    summary: 'What an open invitation says, by its token. Changes nothing.',
    body: z.object({ token: invitationTokenSchema }),
    repeatable: true,
    status: 200,
    response: invitationPreviewSchema,
    errors: ['invitation_ended'],
  }),
  passwordChanged: defineEndpoint({
    operation: 'profile.passwordChanged',
    method: 'POST',
    path: '/internal/password-changed',
    access: 'service',
    callers: ['bff'],
    summary: 'Tells a user by mail that their password was changed.',
    body: z.object({ userId: z.string().regex(/^[0-9a-f]{24}$/) }),
    status: 204,
    errors: ['not_found'],
  }),
  membersSeen: defineEndpoint({
    operation: 'profile.membersSeen',
    method: 'POST',
    path: '/internal/members-seen',
    access: 'service',
    callers: ['bff'],
    summary: 'Notes when members last used their workspaces. Earlier times change nothing.',
    body: z.object({
      items: z
        .array(z.object({ workspaceId: objectIdSchema, userId: objectIdSchema, at: z.iso.datetime() }))
        .min(1)
        .max(maxMembersSeen),
    }),
    bodyLimitBytes: 256 * 1024,
    repeatable: true,
    status: 204,
    errors: [],
  }),
  deletePerson: defineEndpoint({
    operation: 'profile.deletePerson',
    method: 'POST',
    path: '/internal/deleted-persons',
    access: 'service',
    callers: ['bff'],
    summary:
      'Deletes a person: they leave every workspace, one that is theirs alone is erased, and so is what is known of them.',
    body: sessionContextRequestSchema.pick({ iss: true, sub: true }),
    repeatable: true,
    status: 204,
    errors: ['last_owner'],
  }),
  people: defineEndpoint({
    operation: 'profile.people',
    method: 'GET',
    path: '/internal/people',
    access: 'service',
    callers: ['messaging'],
    summary: 'How many seats of the token’s workspace are taken, and who decides on approvals.',
    status: 200,
    response: z.object({
      /** With open invitations: the seats that are taken. */
      seats: countSchema,
      /** User ids of members who decide on approvals. */
      deciders: z.array(idSchema).max(maxDeciders),
    }),
    errors: [],
  }),
  members: defineEndpoint({
    operation: 'profile.members',
    method: 'GET',
    path: '/internal/members',
    access: 'service',
    callers: ['messaging', 'messaging-worker', 'automation', 'automation-worker'],
    summary: 'Names and roles of members by user id. Ids of others are missing from the answer.',
    query: z.object({ ids: listOf(z.string().regex(/^[0-9a-f]{24}$/), maxMemberFacts) }),
    status: 200,
    response: z.object({ items: z.array(memberFactsSchema).max(maxMemberFacts) }),
    errors: [],
  }),
  cell: defineEndpoint({
    operation: 'profile.cell',
    method: 'GET',
    path: '/internal/cells/:workspaceId',
    access: 'service',
    callers: ['bff'],
    summary: 'The cell of a workspace that the address of a call names. Absent: the home cell, or no such workspace.',
    params: z.object({ workspaceId: objectIdSchema }),
    status: 200,
    response: z.object({ cell: cellNameSchema.optional() }),
    errors: [],
  }),
}
