import type { Passwords } from './passwords.ts'
import type { LoginFailures } from './store/login-failures.ts'
import type { User, UserStore } from './store/users.ts'

type SignInResult =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: 'credentials' | 'disabled' }
  /** The password is right, but the person must do something first, which only pages can ask for. */
  | { readonly ok: false; readonly reason: 'not_set_up'; readonly user: User }

export type CheckPassword = (email: string, password: string, ip: string) => Promise<SignInResult>

/**
 * Says who has this address and password. A wrong password, an unknown, locked or password-less account give the same
 * answer after the same work; that an account is disabled is told only to someone who knows its password.
 */
export function createCheckPassword(deps: {
  users: Pick<UserStore, 'findByEmail' | 'findPassword'>
  passwords: Pick<Passwords, 'matches'>
  failures: Pick<LoginFailures, 'isLocked' | 'record' | 'clear'>
}): CheckPassword {
  return async (email, password, ip) => {
    const before = deps.users.findByEmail(email)
    const locked = before !== undefined && deps.failures.isLocked(before.id)
    const stored = before && !locked ? deps.users.findPassword(before.id)?.hash : undefined
    const right = await deps.passwords.matches(password, stored)
    if (!before || locked) return { ok: false, reason: 'credentials' }
    // The check took a while: a password that was replaced meanwhile starts no session.
    const user = deps.users.findByEmail(email)
    if (!right || !user || deps.users.findPassword(user.id)?.hash !== stored) {
      if (user) deps.failures.record(user.id, ip)
      return { ok: false, reason: 'credentials' }
    }
    if (!user.enabled) return { ok: false, reason: 'disabled' }
    deps.failures.clear(user.id)
    return user.requiredActions.length > 0 ? { ok: false, reason: 'not_set_up', user } : { ok: true, user }
  }
}
