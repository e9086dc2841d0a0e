import { z } from 'zod'
import { HttpError } from '../http.ts'
import { passwordFault } from '../password-policy.ts'
import type { RealmConfig } from '../realm-config.ts'
import type { User } from '../store/users.ts'

/** @throws HttpError 400 where the input is not such an object */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const unknown = result.error.issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown) throw new HttpError(400, { error: `Unrecognized field "${unknown.keys[0]}"` })
  throw new HttpError(400, { error: 'invalid_request', error_description: 'Cannot parse the JSON' })
}

/** Checks the account as it would be stored. One fault and several have different shapes in Keycloak. */
export function checkProfile({ email, picture }: Pick<User, 'email' | 'picture'>): void {
  const faults = [
    email === '' && fault('email', 'error-user-attribute-required'),
    email !== '' && !z.email().max(254).safeParse(email).success && fault('email', 'error-invalid-email', email),
    picture !== null &&
      !z.url({ protocol: /^https?$/ }).safeParse(picture).success &&
      fault('picture', 'error-invalid-uri', picture),
  ].filter((found) => found !== false)
  if (faults.length > 0) throw new HttpError(400, faults.length === 1 ? faults[0] : { errors: faults })
}

const fault = (field: string, errorMessage: string, ...params: string[]) => ({
  field,
  errorMessage,
  params: [field, ...params],
})

/** @throws HttpError in the shape of Keycloak's password policy */
export function checkPasswordPolicy(password: string, { passwordMinLength: minLength }: RealmConfig): void {
  const fault = passwordFault(password, { minLength })
  if (fault) throw new HttpError(400, { error: fault.error, error_description: fault.error_description })
}
