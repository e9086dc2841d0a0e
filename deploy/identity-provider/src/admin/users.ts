import type { Request } from 'express'
import { z } from 'zod'
import { HttpError, param, queryOf, type Reply } from '../http.ts'
import { hashPassword } from '../passwords.ts'
import type { Realm } from '../realm.ts'
import { passwordOf, type RequiredAction, requiredActionSchema, type User } from '../store/users.ts'
import { checkPasswordPolicy, checkProfile, parseInput } from './checks.ts'

const text = z.string().max(2048)
/** A member that a caller may send back as it got it; it changes nothing. */
const ignored = z.unknown().optional()

const passwordInput = z.strictObject({
  type: z.literal('password').default('password'),
  value: z.string().max(1024),
  temporary: z.boolean().default(false),
})

/** Keycloak's UserRepresentation as it is sent to us. Keycloak refuses members that it does not know. */
const userInput = z.strictObject({
  username: text.optional(),
  email: text.nullish(),
  emailVerified: z.boolean().optional(),
  enabled: z.boolean().optional(),
  firstName: text.nullish(),
  lastName: text.nullish(),
  /** Attributes that the realm does not have are dropped silently, as in Keycloak. */
  attributes: z.object({ picture: z.array(text).max(1).optional() }).optional(),
  requiredActions: z.array(requiredActionSchema).max(10).optional(),
  credentials: z.array(passwordInput).max(1).optional(),
  id: ignored,
  federatedIdentities: ignored,
})

/** The account named in the path. @throws HttpError 404 */
export function findUser(req: Request, { users }: Realm): User {
  const user = users.find(param(req, 'id'))
  if (!user) throw new HttpError(404, { error: 'User not found' })
  return user
}

export async function createUser(req: Request, realm: Realm): Promise<Reply> {
  const input = parseInput(userInput, req.body)
  const password = input.credentials?.[0]
  const profile = {
    email: (input.email ?? input.username ?? '').trim().toLowerCase(),
    emailVerified: input.emailVerified ?? false,
    enabled: input.enabled ?? false,
    firstName: input.firstName || null,
    lastName: input.lastName || null,
    picture: input.attributes?.picture?.[0] ?? null,
    requiredActions: withTemporary(input.requiredActions ?? [], password?.temporary),
  }
  checkProfile(profile)
  if (password) checkPasswordPolicy(password.value, realm.config)
  const hash = password && (await hashPassword(password.value))
  const { id } = realm.users.create({ ...profile, password: hash ? passwordOf(hash) : null })
  return { status: 201, headers: { Location: `${realm.issuer.replace('/realms/', '/admin/realms/')}/users/${id}` } }
}

/** Members that are absent keep their value; but `attributes` makes the body count as the whole profile. */
export function updateUser(req: Request, realm: Realm): Reply {
  const user = findUser(req, realm)
  const input = parseInput(userInput, req.body)
  const whole = input.attributes !== undefined
  const name = (given: string | null | undefined, old: string | null) =>
    given === undefined ? (whole ? null : old) : given || null
  const email = input.email?.trim().toLowerCase() ?? (whole ? '' : user.email)
  const changed = {
    ...user,
    email,
    // The caller who changes an address here states whether it is verified.
    emailVerified: input.emailVerified ?? user.emailVerified,
    enabled: input.enabled ?? user.enabled,
    firstName: name(input.firstName, user.firstName),
    lastName: name(input.lastName, user.lastName),
    picture: whole ? (input.attributes?.picture?.[0] ?? null) : user.picture,
    requiredActions: input.requiredActions ?? user.requiredActions,
  }
  checkProfile(changed)
  realm.users.update(user.id, changed)
  return { status: 204 }
}

const listInput = z.object({
  email: text.optional(),
  username: text.optional(),
  search: text.default(''),
  exact: text.optional(),
  first: z.coerce.number().int().min(0).default(0),
  max: z.coerce.number().int().min(0).max(100).default(100),
})

export function listUsers(req: Request, realm: Realm): Reply {
  const { email, username, search, exact, ...page } = parseInput(listInput, queryOf(req))
  const wanted = email ?? username ?? search
  const found = exact === 'true' ? [realm.users.findByEmail(wanted)] : realm.users.search(wanted, page)
  return { status: 200, body: found.flatMap((user) => (user ? [describeUser(user)] : [])) }
}

/** One account alone is described with its links to Google, an account in a list without. */
export function showUser(req: Request, realm: Realm): Reply {
  const user = findUser(req, realm)
  return { status: 200, body: { ...describeUser(user), federatedIdentities: identitiesOf(user, realm) } }
}

export const identitiesOf = ({ id }: User, { identities }: Realm) =>
  identities
    .listOf(id)
    .map(({ subject, username }) => ({ identityProvider: 'google', userId: subject, userName: username }))

export async function resetPassword(req: Request, realm: Realm): Promise<Reply> {
  const { id, requiredActions } = findUser(req, realm)
  const { value, temporary } = parseInput(passwordInput, req.body)
  checkPasswordPolicy(value, realm.config)
  const others = requiredActions.filter((action) => action !== 'UPDATE_PASSWORD')
  const password = passwordOf(await hashPassword(value))
  realm.users.update(id, { password, requiredActions: withTemporary(others, temporary) })
  return { status: 204 }
}

/** A temporary password must be replaced before anything else. */
const withTemporary = (actions: RequiredAction[], temporary = false): RequiredAction[] =>
  temporary ? [...new Set([...actions, 'UPDATE_PASSWORD' as const])] : actions

const describeUser = ({ id, email, emailVerified, enabled, firstName, lastName, picture, requiredActions }: User) => ({
  id,
  username: email,
  email,
  emailVerified,
  enabled,
  requiredActions,
  ...(firstName !== null && { firstName }),
  ...(lastName !== null && { lastName }),
  ...(picture !== null && { attributes: { picture: [picture] } }),
})
