import { type Call, HttpError, type Reply, readJson } from '../http.ts'
import { EmailTakenError, type User } from '../store/users.ts'
import type { AdminDeps } from './deps.ts'
import {
  checkPasswordPolicy,
  checkProfile,
  credentialInput,
  describeUser,
  parseBody,
  type UserInput,
  userInput,
} from './representation.ts'

/** The account named in the path. @throws HttpError 404 */
export function findUser(call: Call, deps: AdminDeps): User {
  const user = deps.users.find(call.params['id'] ?? '')
  if (!user) throw new HttpError(404, { error: 'User not found' })
  return user
}

export async function createUser(call: Call, deps: AdminDeps): Promise<Reply> {
  const input = parseBody(userInput, await readJson(call.req))
  if (!input.email && !input.username) throw new HttpError(400, { errorMessage: 'User name is missing' })
  const password = input.credentials?.[0]
  const user = {
    email: (input.email ?? input.username ?? '').trim().toLowerCase(),
    emailVerified: input.emailVerified ?? false,
    enabled: input.enabled ?? false,
    firstName: input.firstName || null,
    lastName: input.lastName || null,
    attributes: declared(input, deps),
    requiredActions: withTemporary(input.requiredActions ?? [], password?.temporary),
  }
  checkProfile(user)
  if (deps.users.findByEmail(user.email)) throw taken()
  if (password) checkPasswordPolicy(deps.realm, password.value)
  const hash = password && (await deps.passwords.hash(password.value))
  const created = orTaken(() => deps.users.create(user, hash))
  return { status: 201, headers: { Location: `${deps.origin}/admin/realms/${deps.realm.name}/users/${created.id}` } }
}

/** Members that are absent keep their value; but `attributes` makes the body count as the whole profile. */
export async function updateUser(call: Call, deps: AdminDeps): Promise<Reply> {
  const user = findUser(call, deps)
  const input = parseBody(userInput, await readJson(call.req))
  const whole = input.attributes !== undefined
  const name = (given: string | null | undefined, old: string | null) =>
    given === undefined ? (whole ? null : old) : given || null
  const email = input.email?.trim().toLowerCase() ?? (whole ? '' : user.email)
  const changed: User = {
    ...user,
    email,
    // A new address has yet to be proven.
    emailVerified: input.emailVerified ?? (email === user.email && user.emailVerified),
    enabled: input.enabled ?? user.enabled,
    firstName: name(input.firstName, user.firstName),
    lastName: name(input.lastName, user.lastName),
    attributes: whole ? declared(input, deps) : user.attributes,
    requiredActions: input.requiredActions ?? user.requiredActions,
  }
  checkProfile(changed)
  orTaken(() => deps.users.update(changed))
  return { status: 204 }
}

export function listUsers({ url }: Call, deps: AdminDeps): Reply {
  const text = url.searchParams.get('email') ?? url.searchParams.get('username') ?? url.searchParams.get('search') ?? ''
  if (url.searchParams.get('exact') === 'true') {
    const user = deps.users.findByEmail(text)
    return { status: 200, body: user ? [describeUser(user)] : [] }
  }
  const page = { first: pageNumber(url, 'first', 0), max: Math.min(pageNumber(url, 'max', 100), 100) }
  return { status: 200, body: deps.users.search(text, page).map(describeUser) }
}

export async function resetPassword(call: Call, deps: AdminDeps): Promise<Reply> {
  const user = findUser(call, deps)
  const input = parseBody(credentialInput, await readJson(call.req))
  checkPasswordPolicy(deps.realm, input.value)
  deps.users.setPassword(user.id, await deps.passwords.hash(input.value))
  const others = user.requiredActions.filter((action) => action !== 'UPDATE_PASSWORD')
  deps.users.update({ ...user, requiredActions: withTemporary(others, input.temporary) })
  return { status: 204 }
}

const declared = (input: UserInput, deps: AdminDeps) =>
  Object.fromEntries(Object.entries(input.attributes ?? {}).filter(([name]) => deps.realm.attributes.includes(name)))

/** A temporary password must be replaced before anything else. */
const withTemporary = (actions: readonly string[], temporary: boolean | undefined) =>
  temporary ? [...new Set([...actions, 'UPDATE_PASSWORD'])] : actions

function pageNumber(url: URL, name: string, otherwise: number): number {
  const value = Number(url.searchParams.get(name) ?? otherwise)
  return Number.isSafeInteger(value) && value >= 0 ? value : otherwise
}

const taken = () => new HttpError(409, { errorMessage: 'User exists with same email' })

function orTaken<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw error instanceof EmailTakenError ? taken() : error
  }
}
