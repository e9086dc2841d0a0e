import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, listOf, storedFields } from '../core/records.ts'
import { timeZoneSchema } from '../core/time-zones.ts'
import { cellNameSchema } from './cells.ts'
import { invitationPreviewSchema, invitationTokenSchema } from './invitation-preview.ts'
import { roleSchema } from './permissions.ts'

/** Largest stored photo in bytes, after the browser has shrunk it. */
export const photoMaxBytes = 256 * 1024
/** Longest photo field in characters: the base64 of {@link photoMaxBytes} plus the data URL's head. */
const photoMaxLength = Math.ceil(photoMaxBytes / 3) * 4 + 64
/** Longest side of a photo in pixels after shrinking. */
export const photoMaxSidePx = 512
/** Image types that may be stored; the browser re-encodes anything else which it can decode. */
export type PhotoType = 'image/png' | 'image/jpeg' | 'image/webp'
/** Largest body of a profile change: a photo at its limit and every other field at its own, with room for escapes. */
const profileBodyLimitBytes = 512 * 1024

const nameSchema = (label: string) =>
  z.string().trim().min(1, `Enter your ${label}.`).max(80, `Your ${label} can have at most 80 characters.`)

/** Fields of a profile as a person types them; the form and the API check the same. */
export const profileFieldsSchema = z.object({
  firstName: nameSchema('first name'),
  lastName: nameSchema('last name'),
  /** Country code joined to the number; stored and answered as E.164. */
  mobile: z.string().trim().min(1, 'Enter your mobile number.').max(32, 'That number is too long.'),
  /** `""` clears it. */
  address: z.string().trim().max(500, 'The address can have at most 500 characters.'),
  timezone: timeZoneSchema,
  /** PNG, JPEG or WebP as a data URL, the session's own `picture` URL, or `""` for none. */
  profileImageUrl: z.string().max(photoMaxLength, 'The photo is larger than 256 KiB. Choose a smaller one.'),
})
export type ProfileFields = z.infer<typeof profileFieldsSchema>

/**
 * Body of PATCH: an absent field keeps its value. With the `version` that the person has seen, a change that came first is
 * 409 `stale_version`; without it the fields replace whatever is stored.
 */
const profileUpdateSchema = profileFieldsSchema.partial().extend({ version: storedFields.version.optional() })
export type ProfileUpdate = z.infer<typeof profileUpdateSchema>

/** The signed-in user's own record. A field that was never filled in is `""`. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  mobile: z.string(),
  address: z.string(),
  timezone: z.string(),
  profileImageUrl: z.string(),
  /** The workspace that the session is in, its name, and the role there. */
  workspaceId: z.string(),
  workspaceName: z.string(),
  role: roleSchema,
  /** Set while the person sees the workspace as a lower role has it: `role` is that one. */
  viewing: z.literal(true).optional(),
  /** Set while the workspace is being deleted: when it will be erased. */
  closesAt: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  version: storedFields.version,
})
export type User = z.infer<typeof userSchema>

/** True once a person has a profile: both names are present. */
export const hasProfile = (user: Pick<User, 'firstName' | 'lastName'>): boolean =>
  user.firstName !== '' && user.lastName !== ''

/** A person's own profile: recorded at sign-in, read and changed. */
export const profileApi = {
  sync: defineEndpoint({
    operation: 'profile.sync',
    method: 'POST',
    path: '/api/auth/sync',
    access: 'session+bearer',
    permission: 'self',
    audit: 'none',
    allowsUnverified: true,
    summary: 'Records the sign-in: creates the user on the first call, brings e-mail and name claims up to date after.',
    status: 200,
    response: userSchema,
    errors: ['token_rejected', 'session_changed'],
  }),
  user: defineEndpoint({
    operation: 'profile.user',
    method: 'GET',
    path: '/api/auth/user',
    access: 'session',
    permission: 'self',
    allowsUnverified: true,
    summary: 'The signed-in user. A new user is 200 with empty fields.',
    status: 200,
    response: userSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'profile.update',
    method: 'PATCH',
    path: '/api/auth/profile',
    access: 'session+bearer',
    permission: 'self',
    allowsUnverified: true,
    summary: 'Changes the given fields of the profile and returns the whole user.',
    body: profileUpdateSchema,
    bodyLimitBytes: profileBodyLimitBytes,
    status: 200,
    response: userSchema,
    errors: ['token_rejected', 'session_changed', 'validation_failed', 'stale_version', 'body_too_large'],
  }),
}

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
  /** When the browser was sent to the provider; of a federated sign-in. An address proven later proves nothing about earlier. */
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
})
export type MemberFacts = z.infer<typeof memberFactsSchema>

/** User ids in one call of `profileInternalApi.members`. */
export const maxMemberFacts = 100

/** Members in one call of `profileInternalApi.membersSeen`. */
export const maxMembersSeen = 1000

/** Calls of the profile service for other Parley processes only. */
/** Members who are told of a request at most. */
export const maxDeciders = 200

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
