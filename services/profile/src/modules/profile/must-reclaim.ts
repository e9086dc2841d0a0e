import type { SessionContextRequest } from '@parley/contracts/account/profile'
import type { UserRecord } from './profile.model.ts'

/**
 * Returns whether an account may still be held by a person who signed up with another's address and waits for the owner to come
 * by Google. So it is at the first federated sign-in, unless a password session had proven the address before that sign-in began:
 * proof given in its course may have been the owner's, seen by the other's open session.
 */
export function mustReclaim(
  user: Pick<UserRecord, 'federatedAt' | 'emailVerifiedAt'>,
  { provider, startedAt, reclaimed }: Pick<SessionContextRequest, 'provider' | 'startedAt' | 'reclaimed'>,
): boolean {
  if (provider === 'password' || user.federatedAt !== null || reclaimed) return false
  if (user.emailVerifiedAt === null) return true
  return startedAt !== undefined && user.emailVerifiedAt >= new Date(startedAt)
}
