import { passwordMismatch } from '@parley/contracts/account/auth'
import type { Request } from 'express'
import { formOf, type Reply } from './http.ts'
import { endAllSessions } from './oidc/session-end.ts'
import { type PasswordFormError, passwordFormPage } from './pages/pages.ts'
import { passwordFault } from './password-policy.ts'
import { hashPassword } from './passwords.ts'
import type { Realm } from './realm.ts'
import { passwordOf, type User } from './store/users.ts'

/** A new password, typed twice. @returns its hash, or the form again with what is wrong */
export async function readNewPassword(
  { config }: Realm,
  req: Request,
  email: string,
): Promise<{ hash: string; refusal?: never } | { refusal: Reply; hash?: never }> {
  const { 'password-new': password = '', 'password-confirm': again = '' } = formOf(req)
  const error = faultOf(password, again, config.passwordMinLength)
  return error ? { refusal: passwordFormPage(config, email, error) } : { hash: await hashPassword(password) }
}

/** That the two differ comes first. */
function faultOf(password: string, again: string, minLength: number): PasswordFormError | undefined {
  if (password !== again) return { field: 'password-confirm', message: passwordMismatch }
  const fault = passwordFault(password, { minLength })
  return fault && { field: 'password-new', message: fault.sentence }
}

/** Sets the password with what else it changes of the account, and ends its sessions. */
export async function replacePassword(realm: Realm, id: string, { hash, ...change }: { hash: string } & Partial<User>) {
  realm.users.update(id, { ...change, password: passwordOf(hash) })
  await endAllSessions(realm, id)
}
