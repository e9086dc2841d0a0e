import { bearerToken, type Call, type Handler, HttpError, type Reply, type Route, route } from '../http.ts'
import type { AdminDeps } from './deps.ts'
import { sendActionsEmail, sendVerifyEmail } from './mails.ts'
import { describeCredential, describeIdentity, describeSession, describeUser } from './representation.ts'
import { createUser, findUser, listUsers, resetPassword, updateUser } from './users.ts'

type Role = 'manage-users' | 'view-users' | 'query-users'

/** The part of Keycloak's admin REST interface that `services/identity` uses. */
export function adminRoutes(deps: AdminDeps): Route[] {
  const base = `/admin/realms/${deps.realm.name}`
  const allowed =
    (role: Role, handle: (call: Call, deps: AdminDeps) => Promise<Reply> | Reply): Handler =>
    async (call) => {
      await requireRole(call, deps, role)
      return handle(call, deps)
    }
  const view = (handle: Parameters<typeof allowed>[1]) => allowed('view-users', handle)
  const manage = (handle: Parameters<typeof allowed>[1]) => allowed('manage-users', handle)
  const user = `${base}/users/:id`
  return [
    route('POST', `${base}/users`, manage(createUser)),
    route('GET', `${base}/users`, allowed('query-users', listUsers)),
    route(
      'GET',
      user,
      view((call) => describeOne(call, deps)),
    ),
    route('PUT', user, manage(updateUser)),
    route('DELETE', user, manage(deleteUser)),
    route('PUT', `${user}/send-verify-email`, manage(sendVerifyEmail)),
    route('PUT', `${user}/execute-actions-email`, manage(sendActionsEmail)),
    route('PUT', `${user}/reset-password`, manage(resetPassword)),
    route('POST', `${user}/logout`, manage(logoutUser)),
    route('GET', `${user}/sessions`, view(listSessions)),
    route('GET', `${user}/federated-identity`, view(listIdentities)),
    route('GET', `${user}/credentials`, view(listCredentials)),
    route('DELETE', `${user}/credentials/:credential`, manage(deleteCredential)),
    route('DELETE', `${base}/sessions/:sid`, manage(deleteSession)),
    route('GET', `${base}/attack-detection/brute-force/users/:id`, view(describeFailures)),
    route('DELETE', `${base}/attack-detection/brute-force/users/:id`, manage(clearFailures)),
    ...(['GET', 'POST', 'PUT', 'DELETE'] as const).map((method) =>
      route(method, '/admin/realms/:realm{/*}?', (call) => refuseRest(call, deps)),
    ),
  ]
}

/** Calls on other realms and resources: not for this client, in the words that tell the two apart. */
async function refuseRest(call: Call, deps: AdminDeps): Promise<Reply> {
  await rolesOf(call, deps)
  const known = [...deps.realmNames, 'master'].includes(call.params['realm'] ?? '')
  throw known ? forbidden() : new HttpError(404, { error: 'Realm not found.' })
}

async function requireRole(call: Call, deps: AdminDeps, role: Role): Promise<void> {
  if (!(await rolesOf(call, deps)).includes(role)) throw forbidden()
}

async function rolesOf({ req }: Call, deps: AdminDeps): Promise<readonly string[]> {
  const token = bearerToken(req)
  const roles = token === undefined ? undefined : await deps.accessTokens.adminRolesOf(token)
  if (!roles) throw new HttpError(401, { error: 'HTTP 401 Unauthorized' })
  return roles
}

const forbidden = () => new HttpError(403, { error: 'HTTP 403 Forbidden' })

/** One account alone is described with its links to other providers, a list of accounts without. */
function describeOne(call: Call, deps: AdminDeps): Reply {
  const user = findUser(call, deps)
  const federatedIdentities = deps.federated.listOfUser(user.id).map(describeIdentity)
  return { status: 200, body: { ...describeUser(user), federatedIdentities } }
}

function listIdentities(call: Call, deps: AdminDeps): Reply {
  return { status: 200, body: deps.federated.listOfUser(findUser(call, deps).id).map(describeIdentity) }
}

/** As in Keycloak, no logout token is sent for the sessions that vanish with the account. */
function deleteUser(call: Call, deps: AdminDeps): Reply {
  deps.users.remove(findUser(call, deps).id)
  return { status: 204 }
}

async function logoutUser(call: Call, deps: AdminDeps): Promise<Reply> {
  await deps.sessionEnd.endAllOf(findUser(call, deps).id)
  return { status: 204 }
}

function listSessions(call: Call, deps: AdminDeps): Reply {
  const user = findUser(call, deps)
  return { status: 200, body: deps.sessions.listOfUser(user.id).map((session) => describeSession(session, user)) }
}

async function deleteSession(call: Call, deps: AdminDeps): Promise<Reply> {
  const session = deps.sessions.find(call.params['sid'] ?? '')
  // Keycloak's own spelling.
  if (!session) throw new HttpError(404, { error: 'Sesssion not found' })
  await deps.sessionEnd.end(session)
  return { status: 204 }
}

function listCredentials(call: Call, deps: AdminDeps): Reply {
  const password = deps.users.findPassword(findUser(call, deps).id)
  return { status: 200, body: password ? [describeCredential(password)] : [] }
}

function deleteCredential(call: Call, deps: AdminDeps): Reply {
  const removed = deps.users.removePassword(findUser(call, deps).id, call.params['credential'] ?? '')
  if (!removed) throw new HttpError(404, { error: 'Credential not found' })
  return { status: 204 }
}

function describeFailures(call: Call, deps: AdminDeps): Reply {
  return { status: 200, body: deps.failures.describe(call.params['id'] ?? '') }
}

function clearFailures(call: Call, deps: AdminDeps): Reply {
  deps.failures.clear(call.params['id'] ?? '')
  return { status: 204 }
}
