import { passwordMaxLength, passwordMismatch, passwordTooShort } from '@parley/contracts/auth'
import type { PasswordFormError } from './pages/action-pages.ts'
import type { RealmConfig } from './realm-config.ts'

/** What is wrong with a new password typed twice; that the two differ comes first. */
export function checkNewPassword(
  realm: Pick<RealmConfig, 'passwordMinLength'>,
  password: string,
  again: string,
): PasswordFormError | undefined {
  if (password !== again) return { field: 'password-confirm', message: passwordMismatch }
  if (password.length < realm.passwordMinLength) return { field: 'password-new', message: passwordTooShort }
  if (password.length > passwordMaxLength) return { field: 'password-new', message: 'That password is too long.' }
  return undefined
}
