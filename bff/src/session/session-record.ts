import { identityClaimsSchema } from '@parley/contracts/account/auth'
import { isWithin, type Role, roleSchema } from '@parley/contracts/account/permissions'
import { type SessionContext, sessionContextSchema } from '@parley/contracts/account/profile-internal'
import { AppError } from '@parley/service-kit/core/errors'
import { z } from 'zod'

/** The BFF's client at the provider to which the tokens belong; a refresh must use the same. */
const sessionClientSchema = z.enum(['web', 'password'])
export type SessionClient = z.infer<typeof sessionClientSchema>

/** Part of a session that every request needs. */
export const hotRecordSchema = z.object({
  client: sessionClientSchema,
  claims: identityClaimsSchema,
  /** SHA-256 of the current ID token, base64url. */
  idTokenHash: z.string(),
  /** End of the ID token, in epoch seconds by this machine's clock. */
  tokenExpiresAt: z.number(),
  createdAt: z.number(),
  /** End of the session in any case, in epoch milliseconds. */
  endsAt: z.number(),
  /** Time at which the person last typed their password again, in epoch milliseconds. */
  confirmedAt: z.number().optional(),
  /** The session has been in another workspace before: a page that does not say which one it shows may write no more. */
  moved: z.literal(true).optional(),
  /** Lower role as which the person looks at the workspace of the session. */
  viewAs: roleSchema.optional(),
  /** Absent until the profile service has been reached once. */
  context: sessionContextSchema.optional(),
})
export type HotRecord = z.infer<typeof hotRecordSchema>

/** The provider's tokens: read only to renew, to hand the page its ID token, or to sign out. */
export const coldRecordSchema = z.object({
  idToken: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
})
export type ColdRecord = z.infer<typeof coldRecordSchema>

/** A live session as a request holds it. */
export interface Session {
  /** The cookie's value: the only thing that opens the stored records. */
  readonly secret: string
  /** Name of the stored records: a hash of the secret. */
  readonly key: string
  /** Raised by every write; a write is refused where another came first. */
  readonly version: number
  readonly hot: HotRecord
}

/** A session whose user, workspace and role are known. */
export type SessionWithContext = Session & { readonly hot: HotRecord & { readonly context: SessionContext } }

export const hasContext = (session: Session): session is SessionWithContext => session.hot.context !== undefined

/** Roles that may look at a workspace as lower ones see it. */
const mayView: readonly Role[] = ['owner', 'admin']

/** Returns whether a member may look at a workspace as another role sees it. */
export const mayViewAs = (own: Role, other: Role): boolean =>
  mayView.includes(own) && own !== other && isWithin(other, own)

/** Returns the role by which the calls of a session are judged; `viewing` where that is not the person's own. */
export function roleOf({ hot: { context, viewAs } }: SessionWithContext): { role: Role; viewing?: true } {
  // A person whose role has become lower meanwhile has that one.
  return viewAs !== undefined && mayViewAs(context.role, viewAs)
    ? { role: viewAs, viewing: true }
    : { role: context.role }
}

/** Milliseconds for which a confirmation, or a sign-in, is valid. */
const freshMs = 10 * 60_000

/** Returns whether the person has signed in, or typed their password again, a short while ago. */
export function isFresh({ hot: { confirmedAt = 0, client, createdAt, claims } }: Session, now = Date.now()): boolean {
  const isRecent = (at: number) => now - at < freshMs
  // The provider may have let somebody in by a session that it had: only its word counts for when they proved themselves.
  const provenAt = client === 'password' ? createdAt : (claims.auth_time ?? 0) * 1000
  return isRecent(confirmedAt) || (isRecent(createdAt) && isRecent(provenAt))
}

/** Returns the error of a call that needs {@link isFresh}. */
export const notConfirmed = () =>
  new AppError('confirmation_required', 'Confirm with your password that it is you, then try again.')

/** Alias of the provider which the account signed in with; `password` for our own form. */
export const signInProvider = (claims: HotRecord['claims']): string => claims.identity_provider ?? 'password'

/** Returns whether this is a password account whose address is not verified yet. */
export const isUnverified = (claims: HotRecord['claims']): boolean =>
  signInProvider(claims) === 'password' && !claims.email_verified
