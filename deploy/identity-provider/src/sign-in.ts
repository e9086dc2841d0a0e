import type { Realm } from './realm.ts'
import { nowSeconds } from './store/records.ts'
import type { User } from './store/users.ts'

/** Number of wrong passwords in a row from which on each locks the account for a growing while. Times are seconds. */
const failureFactor = 100
const waitIncrement = 60
const maxWait = 900
/** Quiet time that forgives. */
const maxDelta = 43_200

type Stores = Pick<Realm, 'users' | 'failures' | 'matchesPassword'>

type SignInResult =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: 'credentials' | 'disabled' }

/**
 * Returns the account that has this address and password. A wrong password, an unknown, locked or password-less account give the
 * same answer after the same work; that an account is disabled is revealed only to someone who knows its password.
 */
export async function checkPassword(realm: Stores, email: string, password: string): Promise<SignInResult> {
  const before = realm.users.findByEmail(email)
  const locked = before !== undefined && isLocked(realm, before.id)
  const stored = locked ? undefined : before?.password?.hash
  const right = await realm.matchesPassword(password, stored)
  if (!before || locked) return { ok: false, reason: 'credentials' }
  // The check took a while: a password that was replaced meanwhile starts no session.
  const user = realm.users.find(before.id)
  if (!right || !user || user.password?.hash !== stored) {
    if (user) recordFailure(realm, user.id)
    return { ok: false, reason: 'credentials' }
  }
  if (!user.enabled) return { ok: false, reason: 'disabled' }
  realm.failures.remove(user.id)
  return { ok: true, user }
}

export const isLocked = ({ failures }: Pick<Realm, 'failures'>, userId: string): boolean =>
  (failures.find(userId)?.lockedUntil ?? 0) > nowSeconds()

/** Brute-force protection. */
export function recordFailure({ failures }: Pick<Realm, 'failures'>, userId: string): void {
  const count = (failures.find(userId)?.count ?? 0) + 1
  const wait = Math.min(waitIncrement * Math.floor(count / failureFactor), maxWait)
  failures.put(userId, { count, lockedUntil: nowSeconds() + wait }, { lifeSeconds: maxDelta, owner: userId })
}
