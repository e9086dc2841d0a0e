import { json, type Request, Router } from 'express'
import { z } from 'zod'
import { answer, bearerToken, HttpError, param, queryOf, type Reply } from '../http.ts'
import { mailLink } from '../mail-links.ts'
import { verifyAccessToken } from '../oidc/access-tokens.ts'
import { endAllSessions, endSession } from '../oidc/session-end.ts'
import type { Realm } from '../realm.ts'
import { mayRedirect } from '../realm-config.ts'
import { isLocked } from '../sign-in.ts'
import { type RequiredAction, requiredActionSchema } from '../store/users.ts'
import { parseInput } from './checks.ts'
import { createUser, findUser, identitiesOf, listUsers, resetPassword, showUser, updateUser } from './users.ts'

/** The part of Keycloak's admin REST interface that `services/identity` uses. Every other part is not for its client. */
export function adminRoutes(realm: Realm): Router {
  const on = (handle: (req: Request, realm: Realm) => Promise<Reply> | Reply) => answer((req) => handle(req, realm))
  const user = '/realms/parley/users/:id'
  const failures = '/realms/parley/attack-detection/brute-force/users/:id'
  return Router()
    .use(async (req, _res, next) => {
      await requireManager(req, realm)
      next()
    })
    .use(json({ limit: '64kb' }))
    .post('/realms/parley/users', on(createUser))
    .get('/realms/parley/users', on(listUsers))
    .get(user, on(showUser))
    .put(user, on(updateUser))
    .delete(user, on(deleteUser))
    .put(`${user}/send-verify-email`, on(sendVerifyEmail))
    .put(`${user}/execute-actions-email`, on(sendActionsEmail))
    .put(`${user}/reset-password`, on(resetPassword))
    .post(`${user}/logout`, on(logoutUser))
    .get(`${user}/sessions`, on(listSessions))
    .get(`${user}/federated-identity`, on(listIdentities))
    .get(`${user}/credentials`, on(listCredentials))
    .delete(`${user}/credentials/:credential`, on(deleteCredential))
    .delete('/realms/parley/sessions/:sid', on(deleteSession))
    .get(failures, on(describeFailures))
    .delete(failures, on(clearFailures))
    .use(() => {
      throw forbidden()
    })
}

const forbidden = () => new HttpError(403, { error: 'HTTP 403 Forbidden' })
const done: Reply = { status: 204 }

async function requireManager(req: Request, realm: Realm): Promise<void> {
  const claims = await verifyAccessToken(realm, bearerToken(req))
  if (!claims) throw new HttpError(401, { error: 'HTTP 401 Unauthorized' })
  const client = realm.config.clients.find(({ clientId }) => clientId === claims.azp)
  // A person's token names the client too, but its subject is the person.
  if (claims.sub !== claims.azp || !client?.managesUsers) throw forbidden()
}

/** As in Keycloak, no logout token is sent for the sessions that vanish with the account. */
function deleteUser(req: Request, realm: Realm): Reply {
  realm.users.remove(findUser(req, realm).id)
  return done
}

const sendVerifyEmail = (req: Request, realm: Realm): Promise<Reply> =>
  sendLink(req, realm, { action: 'VERIFY_EMAIL', failure: 'Failed to send verify email' })

function sendActionsEmail(req: Request, realm: Realm): Promise<Reply> {
  const [action] = parseInput(z.tuple([requiredActionSchema]), req.body)
  return sendLink(req, realm, { action, failure: 'Failed to send execute actions email' })
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

async function sendLink(req: Request, realm: Realm, { action, failure }: { action: RequiredAction; failure: string }) {
  const user = findUser(req, realm)
  if (!user.enabled) throw new HttpError(400, { errorMessage: 'User is disabled' })
  const { client_id, redirect_uri: redirectUri, lifespan: lifespanSeconds } = parseInput(linkInput, queryOf(req))
  // The page after the action may lead back to nowhere but to an address of the named client.
  const client = realm.config.clients.find(({ clientId }) => clientId === client_id)
  if (redirectUri !== undefined && client_id === undefined)
    throw new HttpError(400, { errorMessage: 'Client id missing' })
  if (client_id !== undefined && !client) throw new HttpError(400, { errorMessage: "Client doesn't exist" })
  if (redirectUri !== undefined && !mayRedirect(client, redirectUri))
    throw new HttpError(400, { errorMessage: 'Invalid redirect uri.' })
  const isSent = await mailLink(realm, user, { action, redirectUri: redirectUri ?? null, lifespanSeconds })
  if (!isSent) throw new HttpError(500, { errorMessage: failure })
  return done
}

async function logoutUser(req: Request, realm: Realm): Promise<Reply> {
  await endAllSessions(realm, findUser(req, realm).id)
  return done
}

function listSessions(req: Request, realm: Realm): Reply {
  const { id: userId, email: username } = findUser(req, realm)
  const body = realm.sessions.listOf(userId).map(({ sid, ip, startedAt, lastSeenAt, clientId }) => ({
    id: sid,
    username,
    userId,
    ipAddress: ip,
    start: startedAt * 1000,
    lastAccess: lastSeenAt * 1000,
    clients: { [clientId]: clientId },
  }))
  return { status: 200, body }
}

async function deleteSession(req: Request, realm: Realm): Promise<Reply> {
  const session = realm.sessions.find(param(req, 'sid'))
  // Keycloak's own spelling.
  if (!session) throw new HttpError(404, { error: 'Sesssion not found' })
  await endSession(realm, session)
  return done
}

const listIdentities = (req: Request, realm: Realm): Reply => ({
  status: 200,
  body: identitiesOf(findUser(req, realm), realm),
})

function listCredentials(req: Request, realm: Realm): Reply {
  const { password } = findUser(req, realm)
  const { id, createdAt = 0 } = password ?? {}
  return { status: 200, body: password ? [{ id, type: 'password', createdDate: createdAt }] : [] }
}

function deleteCredential(req: Request, realm: Realm): Reply {
  const { id, password } = findUser(req, realm)
  if (password?.id !== param(req, 'credential')) throw new HttpError(404, { error: 'Credential not found' })
  realm.users.update(id, { password: null })
  return done
}

function describeFailures(req: Request, realm: Realm): Reply {
  const id = param(req, 'id')
  return { status: 200, body: { numFailures: realm.failures.find(id)?.count ?? 0, disabled: isLocked(realm, id) } }
}

function clearFailures(req: Request, realm: Realm): Reply {
  realm.failures.remove(param(req, 'id'))
  return done
}
