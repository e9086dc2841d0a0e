import { readFileSync } from 'node:fs'
import { passwordMaxLength, passwordTooCommon, passwordTooLong, tooShort } from '@parley/contracts/account/auth'

/** The list that a Keycloak of Parley's realm reads too: one password a line, in lower case. */
const listFile = new URL('../../keycloak/password-blacklists/parley-common.txt', import.meta.url)
const common: ReadonlySet<string> = new Set(readFileSync(listFile, 'utf8').split('\n'))

interface PasswordFault {
  /** Keycloak's key and description of its policy. */
  readonly error: string
  readonly error_description: string
  /** Sentence that its page shows. */
  readonly sentence: string
}

/** Returns the fault that the realm's password policy finds in a password; `undefined` for none. */
export function passwordFault(password: string, { minLength }: { minLength: number }): PasswordFault | undefined {
  if (password.length < minLength)
    return {
      error: 'invalidPasswordMinLengthMessage',
      error_description: `Invalid password: minimum length ${minLength}.`,
      sentence: tooShort(minLength),
    }
  if (password.length > passwordMaxLength)
    return {
      error: 'invalidPasswordMaxLengthMessage',
      error_description: `Invalid password: maximum length ${passwordMaxLength}.`,
      sentence: passwordTooLong,
    }
  if (common.has(password.toLowerCase()))
    return {
      error: 'invalidPasswordBlacklistedMessage',
      error_description: 'Invalid password: password is not allowed.',
      sentence: passwordTooCommon,
    }
  return undefined
}
