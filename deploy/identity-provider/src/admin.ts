import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { json, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { HttpError, param, queryOf } from './http.ts'
import { mailLink } from './mail-links.ts'
import { endAllSessions, endSession } from './oidc/sessions.ts'
import { newPassword, passwordFault } from './passwords.ts'
import type { Realm } from './realm.ts'
import type { MailLink, User } from './stores.ts'

type Call = (req: Request, realm: Realm, res: Response) => unknown

/** The part of Keycloak's admin REST interface that Parley uses. A call answers what it returns, or 204. */
const calls: readonly (readonly ['get' | 'post' | 'put' | 'delete', string, Call])[] = [
  ['post', '/users', createUser],
  ['get', '/users', listUsers],
  ['put', '/users/:id', updateUser],
  ['delete', '/users/:id', (req, realm) => realm.users.remove(findUser(req, realm).id)],
  ['put', '/users/:id/send-verify-email', (req, realm) => sendLink(req, realm, 'VERIFY_EMAIL')],
  ['put', '/users/:id/execute-actions-email', (req, realm) => sendLink(req, realm, 'UPDATE_PASSWORD')],
  ['put', '/users/:id/reset-password', resetPassword],
  ['post', '/users/:id/logout', (req, realm) => endAllSessions(realm, findUser(req, realm).id)],
  ['get', '/users/:id/sessions', listSessions],
  ['delete', '/sessions/:sid', deleteSession],
  ['get', '/users/:id/credentials', listCredentials],
  ['delete', '/users/:id/credentials/:credential', deleteCredential],
  ['delete', '/attack-detection/brute-force/users/:id', (req, realm) => void realm.failures.remove(param(req, 'id'))],
]

/** Routes of Keycloak's admin interface that Parley uses; every other part is forbidden. */
export function adminRoutes(realm: Realm): Router {
  const routes = Router().use(async (req, _res, next) => {
    await requireManager(req, realm)
    next()
  })
  routes.use(json({ limit: '64kb' }))
  for (const [method, path, handle] of calls)
    routes[method](path, async (req: Request, res: Response) => {
      const body = await handle(req, realm, res)
      if (body === undefined) res.status(res.statusCode === 200 ? 204 : res.statusCode).end()
      else res.json(body)
    })
  return routes.use(() => {
    throw forbidden()
  })
}

const forbidden = () => new HttpError(403, { error: 'HTTP 403 Forbidden' })

async function requireManager({ headers }: Request, { provider }: Realm): Promise<void> {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  if (await provider.ClientCredentials.find(token)) return
  // A person's own token is genuine, but no manager's.
  if (await provider.AccessToken.find(token)) throw forbidden()
  throw new HttpError(401, { error: 'HTTP 401 Unauthorized' })
}

/** @throws HttpError 400 where the input is not such an object */
function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new HttpError(400, { error: 'invalid_request', error_description: z.prettifyError(result.error) })
}

/** Schema of Keycloak's UserRepresentation as it is sent to us; members that Parley does not use are dropped. */
const userInput = z.object({
  email: z.string().max(254).trim().toLowerCase().optional(),
  emailVerified: z.boolean().optional(),
  enabled: z.boolean().optional(),
  requiredActions: z.array(z.literal('UPDATE_PASSWORD')).max(1).optional(),
  credentials: z
    .array(z.object({ value: z.string().max(1024) }))
    .max(1)
    .optional(),
})

const describeUser = ({ password: _secret, ...user }: User) => user

/** The account named in the path. @throws HttpError 404 */
function findUser(req: Request, { users }: Realm): User {
  const user = users.find(param(req, 'id'))
  if (!user) throw new HttpError(404, { error: 'User not found' })
  return user
}

async function createUser(req: Request, realm: Realm, res: Response): Promise<void> {
  const { issuer, users } = realm
  const { email = '', emailVerified = false, enabled = false, credentials = [] } = parseInput(userInput, req.body)
  if (!z.email().safeParse(email).success)
    throw new HttpError(400, { field: 'email', errorMessage: 'error-invalid-email', params: ['email', email] })
  const [typed] = credentials
  if (typed) refuseFault(typed.value, realm)
  const password = typed ? await newPassword(typed.value) : null
  const { id } = users.create({ email, emailVerified, enabled, password })
  res.status(201).location(`${issuer.replace('/realms/', '/admin/realms/')}/users/${id}`)
}

/** Members that are absent keep their value. */
function updateUser(req: Request, realm: Realm): void {
  const { credentials: _stay, ...change } = parseInput(userInput, req.body)
  realm.users.update(findUser(req, realm).id, omitUndefined(change))
}

async function resetPassword(req: Request, realm: Realm): Promise<void> {
  const { id } = findUser(req, realm)
  const { value } = parseInput(z.object({ value: z.string().max(1024) }), req.body)
  refuseFault(value, realm)
  realm.users.update(id, { password: await newPassword(value) })
}

/** The number of the rule is read from the description. */
function refuseFault(password: string, { config }: Realm): void {
  const fault = passwordFault(password, config.PASSWORD_MIN_LENGTH)
  if (fault) throw new HttpError(400, { error: fault.key, error_description: fault.sentence })
}

const listInput = z.object({
  email: z.string().max(254).optional(),
  search: z.string().max(254).default(''),
  first: z.coerce.number().int().min(0).default(0),
  max: z.coerce.number().int().min(0).max(100).default(100),
})

/** The account of an exact address, or those with a part of it, page by page. */
function listUsers(req: Request, { users }: Realm) {
  const { email, search, first, max } = parseInput(listInput, queryOf(req))
  const found = email === undefined ? users.search(search, first, max) : [users.findByEmail(email)]
  return found.flatMap((user) => (user ? [describeUser(user)] : []))
}

const linkInput = z.object({
  client_id: z.string().optional(),
  redirect_uri: z.string().optional(),
  lifespan: z.coerce
    .number()
    .int()
    .min(1)
    .max(30 * 86_400)
    .default(3600),
})

async function sendLink(req: Request, realm: Realm, action: MailLink['action']): Promise<void> {
  const user = findUser(req, realm)
  if (!user.enabled) throw new HttpError(400, { errorMessage: 'User is disabled' })
  const { client_id: client, redirect_uri: redirectUri, lifespan } = parseInput(linkInput, queryOf(req))
  // The page after the action may lead back to nowhere but to an address of the named client.
  const targets = ['/verify-email', '/login'].map((path) => realm.config.PUBLIC_ORIGIN + path)
  if (redirectUri !== undefined && !(client === 'app-links' && targets.includes(redirectUri)))
    throw new HttpError(400, { errorMessage: 'Invalid redirect uri.' })
  const isSent = await mailLink(realm, user, { action, redirectUri: redirectUri ?? null, lifeSeconds: lifespan })
  if (!isSent) throw new HttpError(500, { errorMessage: 'Failed to send the mail' })
}

function listSessions(req: Request, realm: Realm) {
  return realm.sessions.listOf(findUser(req, realm).id).map(({ sid }) => ({ id: sid }))
}

async function deleteSession(req: Request, realm: Realm): Promise<void> {
  const sid = param(req, 'sid')
  // Keycloak's own spelling.
  if (!realm.sessions.find(sid)) throw new HttpError(404, { error: 'Sesssion not found' })
  await endSession(realm, sid)
}

function listCredentials(req: Request, realm: Realm) {
  const { password } = findUser(req, realm)
  return password ? [{ id: password.id, type: 'password', createdDate: password.createdAt }] : []
}

function deleteCredential(req: Request, realm: Realm): void {
  const { id, password } = findUser(req, realm)
  if (password?.id !== param(req, 'credential')) throw new HttpError(404, { error: 'Credential not found' })
  realm.users.update(id, { password: null })
}
