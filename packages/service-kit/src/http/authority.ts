import {
  can,
  describePermission,
  type Permission,
  type Role,
  rolesGranting,
} from '@parley/contracts/account/permissions'
import { type Endpoint, isForKeys, type Needed } from '@parley/contracts/core/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { errors } from '../core/errors.ts'
import type { InternalCaller } from '../core/internal-token.ts'

/** Verifies an internal token; throws `unauthenticated`. */
export type VerifyToken = (token: string) => Promise<InternalCaller>

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i

/**
 * Guards every route of a scope before the body is read: the caller is known from its internal token and may call what the
 * endpoint declares. A route that was not mounted from an endpoint is for other Parley processes only.
 */
export function guardWithInternalToken(
  scope: FastifyInstance,
  verifyToken: VerifyToken,
  enter: (request: FastifyRequest, reply: FastifyReply) => Promise<void> = async () => undefined,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint?.access === 'public') return
    const caller = await verifyToken(readToken(request))
    request.caller = caller
    await enter(request, reply)
    checkCaller(endpoint, caller)
  })
}

function readToken(request: FastifyRequest): string {
  const header = request.headers.authorization ?? ''
  const token = header.length <= 8192 ? bearer.exec(header)?.[1] : undefined
  if (!token) throw errors.unauthenticated({ detail: 'no internal token' })
  return token
}

/** @throws `unauthenticated` for a token of the wrong kind, `forbidden` for a caller whom the endpoint does not name. */
function checkCaller(endpoint: Exclude<Endpoint, { access: 'public' }> | undefined, caller: InternalCaller): void {
  if (!isOfKind(endpoint, caller)) {
    throw errors.unauthenticated({ detail: `a ${caller.kind} token on ${endpoint?.access ?? 'service'}` })
  }
  if (endpoint?.access === 'service') {
    if (!endpoint.callers.some((name) => caller.claims.sub === `svc:${name}`)) throw errors.forbidden()
  } else if (endpoint) checkNeeded(endpoint.permission, caller)
}

function isOfKind(endpoint: Endpoint | undefined, { kind }: InternalCaller): boolean {
  const access = endpoint?.access ?? 'service'
  if (kind === 'service') return access === 'service'
  if (kind === 'key') return endpoint !== undefined && isForKeys(endpoint)
  return access !== 'service' && access !== 'key'
}

function checkNeeded(needed: Needed, caller: InternalCaller | null): void {
  if (caller?.kind === 'user') checkPermission(needed, caller.claims.role)
  if (caller?.kind === 'key') checkScope(needed, caller.claims.scopes)
}

const actionSchema = z.object({ action: z.object({ kind: z.string() }) })

/**
 * Checks what the action of a parsed body needs beside the endpoint's own permission.
 * @throws `forbidden`.
 */
export function checkAction({ actionPermissions }: Endpoint, body: unknown, caller: InternalCaller | null): void {
  const { data } = actionSchema.safeParse(actionPermissions && body)
  const needed = data && actionPermissions?.[data.action.kind]
  if (needed) checkNeeded(needed, caller)
}

/** @throws `forbidden`, with the permission in words and whom to ask for it. */
export function checkPermission(needed: Needed, role: Role): void {
  if (needed === 'self' || needed === 'member' || can(role, needed)) return
  const granting = rolesGranting(needed).join(' or ')
  throw errors.forbidden(`You may not ${describePermission(needed)}. Ask an ${granting} of the workspace.`)
}

/** @throws `forbidden`, with the name of the scope that the key lacks. A key is nobody's own record. */
function checkScope(needed: Needed, scopes: readonly Permission[]): void {
  if (needed === 'member' || (needed !== 'self' && scopes.includes(needed))) return
  throw errors.forbidden(`This API key lacks the scope ${needed}.`)
}
