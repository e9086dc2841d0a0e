import { z } from 'zod'
import { HttpError } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import type { FederatedIdentity } from '../store/federated-identities.ts'
import type { Session } from '../store/sessions.ts'
import type { PasswordCredential, User } from '../store/users.ts'

const text = z.string().max(2048)

/** Members that a caller may send back as it got them; they change nothing. */
const ignored = z.unknown().optional()

export const credentialInput = z.strictObject({
  type: z.literal('password').default('password'),
  value: z.string().max(1024),
  temporary: z.boolean().default(false),
})

/** Keycloak's UserRepresentation as it is sent to us. Keycloak refuses members that it does not know. */
export const userInput = z.strictObject({
  username: text.optional(),
  email: text.nullish(),
  emailVerified: z.boolean().optional(),
  enabled: z.boolean().optional(),
  firstName: text.nullish(),
  lastName: text.nullish(),
  attributes: z.record(z.string().max(255), z.array(text).max(20)).optional(),
  requiredActions: z.array(z.string().max(64)).max(10).optional(),
  credentials: z.array(credentialInput).max(1).optional(),
  id: ignored,
  createdTimestamp: ignored,
  totp: ignored,
  disableableCredentialTypes: ignored,
  notBefore: ignored,
  access: ignored,
  federatedIdentities: ignored,
})
export type UserInput = z.infer<typeof userInput>

/** @throws HttpError 400 where the body is not such an object */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const unknown = result.error.issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown) throw new HttpError(400, { error: `Unrecognized field "${unknown.keys[0]}"` })
  throw new HttpError(400, { error: 'invalid_request', error_description: 'Cannot parse the JSON' })
}

interface FieldError {
  readonly field: string
  readonly errorMessage: string
  readonly params: readonly (string | number)[]
}

/** Checks the account as it would be stored. One fault and several have different shapes in Keycloak. */
export function checkProfile(user: Pick<User, 'email' | 'firstName' | 'lastName' | 'attributes'>): void {
  const faults = [
    ...(user.email === '' ? [fault('email', 'error-user-attribute-required', [])] : checkEmail(user.email)),
    ...checkName('firstName', user.firstName),
    ...checkName('lastName', user.lastName),
    ...(user.attributes['picture'] ?? []).flatMap(checkPicture),
  ]
  const [first] = faults
  if (first) throw new HttpError(400, faults.length === 1 ? first : { errors: faults })
}

const fault = (field: string, errorMessage: string, params: readonly (string | number)[]): FieldError => ({
  field,
  errorMessage,
  params: [field, ...params],
})

function checkEmail(email: string): FieldError[] {
  if (email.length > 254) return [fault('email', 'error-invalid-length', [0, 254])]
  return z.email().safeParse(email).success ? [] : [fault('email', 'error-invalid-email', [email])]
}

function checkName(field: string, name: string | null): FieldError[] {
  if (name === null) return []
  if (name.length > 255) return [fault(field, 'error-invalid-length', [0, 255])]
  return /[<>&"$%!#?§;*~/\\|^=[\]{}()\p{Cc}]/u.test(name)
    ? [fault(field, 'error-person-name-invalid-character', [])]
    : []
}

const checkPicture = (url: string): FieldError[] =>
  z.url({ protocol: /^https?$/ }).safeParse(url).success ? [] : [fault('picture', 'error-invalid-uri', [url])]

/** @throws HttpError in the shape of Keycloak's password policy */
export function checkPasswordPolicy(realm: RealmConfig, password: string): void {
  if (password.length >= realm.passwordMinLength) return
  throw new HttpError(400, {
    error: 'invalidPasswordMinLengthMessage',
    error_description: `Invalid password: minimum length ${realm.passwordMinLength}.`,
  })
}

export function describeUser(user: User) {
  return {
    id: user.id,
    username: user.email,
    ...(user.firstName !== null && { firstName: user.firstName }),
    ...(user.lastName !== null && { lastName: user.lastName }),
    email: user.email,
    emailVerified: user.emailVerified,
    ...(Object.keys(user.attributes).length > 0 && { attributes: user.attributes }),
    enabled: user.enabled,
    createdTimestamp: user.createdAt,
    totp: false,
    disableableCredentialTypes: [],
    requiredActions: user.requiredActions,
    notBefore: 0,
  }
}

export const describeCredential = (credential: PasswordCredential) => ({
  id: credential.id,
  type: 'password',
  createdDate: credential.createdAt,
  credentialData: JSON.stringify({ algorithm: 'argon2', additionalParameters: { type: ['id'], version: ['1.3'] } }),
})

export const describeIdentity = ({ provider, subject, username }: FederatedIdentity) => ({
  identityProvider: provider,
  userId: subject,
  userName: username,
})

export const describeSession = (session: Session, user: User) => ({
  id: session.sid,
  username: user.email,
  userId: user.id,
  ipAddress: session.ip,
  start: session.startedAt * 1000,
  lastAccess: session.lastSeenAt * 1000,
  rememberMe: false,
  clients: { [session.clientId]: session.clientId },
  transientUser: false,
})
