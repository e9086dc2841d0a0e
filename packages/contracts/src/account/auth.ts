import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema } from '../core/records.ts'
import { invitationPreviewSchema, invitationTokenSchema } from './invitation-preview.ts'
import { roleSchema } from './permissions.ts'

/** Minimum that the page itself requires. The identity provider may be configured to require more, and reports it. */
export const passwordMinLength = 6
/** In UTF-16 code units, as browsers and Keycloak count them. */
export const passwordMaxLength = 128
/** Returns the sentence for a minimum of `length`. */
export const tooShort = (length: number): string => `Password must be at least ${length} characters`
export const passwordTooShort = tooShort(passwordMinLength)
export const passwordTooLong = `Password must be at most ${passwordMaxLength} characters`
export const passwordTooCommon = 'Password is one of the most common ones. Choose another'
export const passwordMismatch = 'Passwords do not match'

/** An address as a person types it: trimmed, at most 254 characters (RFC 5321), lower-cased as the provider stores it. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Enter your email address.')
  .max(254, 'That email address is too long.')
  .pipe(z.email('Enter a valid email address, like name@example.com.'))

export const credentialsSchema = z.object({
  email: emailSchema,
  password: z.string().min(passwordMinLength, passwordTooShort).max(passwordMaxLength, passwordTooLong),
})
export type Credentials = z.infer<typeof credentialsSchema>

/** The one first-party client of the façade. */
export const facadeClientId = 'spa'
/** Stands where a library wants an access token; the browser never holds a real one. */
export const cookieSentinel = 'cookie'
/** Every ID token handed to the browser lives at least this long, in seconds. */
export const idTokenMinLifeSeconds = 90
/** The façade's authorization endpoint: a navigation, `provider=google` goes straight to Google. */
export const authorizePath = '/auth/authorize'
/** Path where a popup or redirect sign-in ends; the only redirect URI of the façade. */
export const handlerPath = '/auth/handler'
/** The façade's token endpoint (RFC 6749 section 3.2). */
export const tokenPath = '/auth/token'
/** Channel between a person's tabs, and between the handler page and the page that opened it. */
export const authChannel = 'auth'
/** Header that marks a call as made by our own page; a cross-site form cannot set it. */
export const csrfHeader = 'X-CSRF'
/**
 * Names the account (`sub`) that a page assumes to be signed in. A call that names another account than the session's gets
 * `session_changed`: a page that has missed a change neither reads nor writes as another user.
 */
export const subjectHeader = 'X-Auth-Subject'
/**
 * Names the workspace that a page shows. A call that names another than the session's gets `workspace_changed`: nothing is read
 * from, or written into, a workspace that the person does not look at.
 */
export const workspaceHeader = 'X-Workspace'
/** Poll interval of the verify-email page, in milliseconds. */
export const verificationPollMs = 3000

/** Claims of the ID token that the page reads. `identity_provider` is absent for a password sign-in. */
export const identityClaimsSchema = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  iat: z.number(),
  sid: z.string().optional(),
  /** When the person typed a password or proved themselves otherwise, in seconds since 1970. */
  auth_time: z.number().optional(),
  email: z.string().default(''),
  email_verified: z.boolean().default(false),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  picture: z.string().optional(),
  identity_provider: z.string().optional(),
})
export type IdentityClaims = z.infer<typeof identityClaimsSchema>

/** Success body of `POST /auth/token` (RFC 6749 section 5.1 with the sentinel in place of an access token). */
export const tokenResponseSchema = z.object({
  id_token: z.string(),
  access_token: z.literal(cookieSentinel),
  token_type: z.literal('Bearer'),
  scope: z.string(),
  /** Seconds until the ID token ends; always more than {@link idTokenMinLifeSeconds}. */
  expires_in: z.number(),
})
export type TokenResponse = z.infer<typeof tokenResponseSchema>

export const authSessionSchema = z.discriminatedUnion('authenticated', [
  z.object({ authenticated: z.literal(false) }),
  tokenResponseSchema.extend({ authenticated: z.literal(true), claims: identityClaimsSchema }),
])
export type AuthSession = z.infer<typeof authSessionSchema>

/** One place where an account is signed in. */
const activeSessionSchema = z.object({
  /** Public name of the session; opens nothing. */
  id: z.string(),
  /** Browser and system in words: `Chrome on Linux`. */
  device: z.string(),
  /** IP address of the sign-in. */
  ip: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** True for the session that asks. */
  current: z.boolean(),
})
export type ActiveSession = z.infer<typeof activeSessionSchema>

/** The BFF's own JSON calls under `/auth` (`POST /auth/token` speaks OAuth 2.0 and stands apart). */
export const authApi = {
  session: defineEndpoint({
    operation: 'auth.session',
    method: 'GET',
    path: '/auth/session',
    access: 'public',
    summary: 'Who is signed in, with an ID token that lives long enough to use; refreshed first where needed.',
    status: 200,
    response: authSessionSchema,
    errors: ['session_store_unavailable', 'identity_provider_unavailable'],
  }),
  signUp: defineEndpoint({
    operation: 'auth.signUp',
    method: 'POST',
    path: '/auth/sign-up',
    access: 'public',
    summary: 'Creates an account, sends the verification mail and starts a session.',
    body: credentialsSchema,
    status: 201,
    response: z.object({
      email: z.string(),
      /** False where passwords are entered on the provider's page only: the page goes there next. */
      signedIn: z.boolean(),
    }),
    errors: ['validation_failed', 'sign_up_failed', 'rate_limited', 'identity_provider_unavailable'],
  }),
  verificationEmail: defineEndpoint({
    operation: 'auth.verificationEmail',
    method: 'POST',
    path: '/auth/verification-email',
    access: 'session',
    permission: 'self',
    summary: 'Resends the verification mail to the address of the session.',
    status: 204,
    errors: ['already_verified', 'rate_limited', 'mail_unavailable', 'identity_provider_unavailable'],
  }),
  reload: defineEndpoint({
    operation: 'auth.reload',
    method: 'POST',
    path: '/auth/reload',
    access: 'session',
    permission: 'self',
    summary: 'Checks with the identity provider whether the address is verified.',
    status: 200,
    response: z.object({ emailVerified: z.boolean() }),
    errors: ['identity_provider_unavailable'],
  }),
  passwordReset: defineEndpoint({
    operation: 'auth.passwordReset',
    method: 'POST',
    path: '/auth/password-reset',
    access: 'public',
    summary: 'Mails a reset link if the address has an account; always 202.',
    body: z.object({ email: emailSchema }),
    status: 202,
    errors: ['validation_failed', 'rate_limited'],
  }),
  invitation: defineEndpoint({
    operation: 'auth.invitation',
    method: 'POST',
    path: '/auth/invitation',
    access: 'public',
    summary:
      'What an invitation says; this browser keeps it for an hour, for the account that is made or signed in next.',
    body: z.object({ token: invitationTokenSchema }),
    status: 200,
    response: invitationPreviewSchema,
    errors: ['validation_failed', 'invitation_ended', 'rate_limited', 'service_unavailable'],
  }),
  workspace: defineEndpoint({
    operation: 'auth.workspace',
    method: 'POST',
    path: '/auth/workspace',
    access: 'session',
    permission: 'self',
    summary: 'Takes the session to another workspace of the person. Open pages of the one before begin anew.',
    body: z.object({ workspaceId: idSchema }),
    status: 204,
    errors: ['not_found', 'service_unavailable'],
  }),
  viewAs: defineEndpoint({
    operation: 'auth.viewAs',
    method: 'POST',
    path: '/auth/view-as',
    access: 'session',
    permission: 'self',
    summary:
      'Shows an owner or admin the workspace as a lower role has it, in this session. Nothing can be changed meanwhile. `null` ends it.',
    body: z.object({ role: roleSchema.nullable() }),
    status: 204,
    errors: ['forbidden', 'service_unavailable'],
  }),
  confirm: defineEndpoint({
    operation: 'auth.confirm',
    method: 'POST',
    path: '/auth/confirm',
    access: 'session',
    permission: 'self',
    summary: 'Confirms by the password who sits at the page: for ten minutes, calls that ask for it are let through.',
    body: z.object({ password: z.string().min(1).max(passwordMaxLength) }),
    status: 204,
    errors: ['password_wrong', 'wrong_state', 'rate_limited', 'identity_provider_unavailable'],
  }),
  password: defineEndpoint({
    operation: 'auth.password',
    method: 'POST',
    path: '/auth/password',
    access: 'session',
    permission: 'self',
    summary: 'Changes the password of the account. Its other sessions end, and a mail says so.',
    body: z.object({ current: z.string().min(1).max(passwordMaxLength), next: credentialsSchema.shape.password }),
    status: 204,
    errors: ['validation_failed', 'password_wrong', 'wrong_state', 'rate_limited', 'identity_provider_unavailable'],
  }),
  deleteAccount: defineEndpoint({
    operation: 'auth.deleteAccount',
    method: 'POST',
    path: '/auth/account-deletion',
    access: 'session',
    permission: 'self',
    fresh: true,
    summary:
      'Deletes the account, here and at the identity provider: the person leaves every workspace and is signed out everywhere.',
    body: z.object({
      /** Address of the account, typed by its person. */
      email: z.string().trim().max(254),
    }),
    status: 204,
    errors: [
      'confirmation_required',
      'validation_failed',
      'last_owner',
      'service_unavailable',
      'identity_provider_unavailable',
    ],
  }),
  sessions: defineEndpoint({
    operation: 'auth.sessions',
    method: 'GET',
    path: '/auth/sessions',
    access: 'session',
    permission: 'self',
    summary: 'Active sessions of the account, latest use first.',
    status: 200,
    response: z.object({ sessions: z.array(activeSessionSchema) }),
    errors: [],
  }),
  endSession: defineEndpoint({
    operation: 'auth.endSession',
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'session',
    permission: 'self',
    summary: "Ends one of the account's sessions, at the identity provider too.",
    params: z.object({ id: z.string().regex(/^[\w-]{22}$/, 'This is not a session id.') }),
    status: 204,
    errors: ['not_found'],
  }),
  endOtherSessions: defineEndpoint({
    operation: 'auth.endOtherSessions',
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'session',
    permission: 'self',
    summary: "Ends all of the account's sessions but this one, at the identity provider too.",
    query: z.object({ others: z.literal('1') }),
    status: 204,
    errors: [],
  }),
  projects: defineEndpoint({
    operation: 'auth.projects',
    method: 'GET',
    path: '/v1/projects',
    access: 'public',
    summary: 'The project that the page belongs to, and the domains that may start a sign-in.',
    query: z.object({ key: z.string().max(200).optional() }),
    status: 200,
    response: z.object({ projectId: z.string(), authorizedDomains: z.array(z.string()) }),
    errors: ['invalid_api_key'],
  }),
  tokenSync: defineEndpoint({
    operation: 'auth.tokenSync',
    method: 'POST',
    path: '/auth/token-sync',
    access: 'session+bearer',
    permission: 'self',
    summary: 'Records the ID token that the page holds (optional token sync).',
    status: 204,
    errors: ['token_rejected', 'session_changed'],
  }),
  tokenSyncEnd: defineEndpoint({
    operation: 'auth.tokenSyncEnd',
    method: 'DELETE',
    path: '/auth/token-sync',
    access: 'public',
    summary: 'Records that the page no longer holds a token: the session of the cookie ends.',
    status: 204,
    errors: [],
  }),
  signOut: defineEndpoint({
    operation: 'auth.signOut',
    method: 'POST',
    path: '/auth/sign-out',
    access: 'public',
    summary: 'Ends the session here and at the identity provider; 204 also when there was none.',
    status: 204,
    errors: [],
  }),
}
