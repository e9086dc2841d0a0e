import { z } from 'zod'

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
  /** Time at which the person typed a password or proved themselves otherwise, in seconds since 1970. */
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
export const activeSessionSchema = z.object({
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
