import { can, describePermission, type Role, rolesGranting } from '@parley/contracts/account/permissions'
import type { Endpoint, Needed } from '@parley/contracts/core/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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
export function guardWithInternalToken(scope: FastifyInstance, verifyToken: VerifyToken): void {
  scope.addHook('onRequest', async (request) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint?.access === 'public') return
    const caller = await verifyToken(readToken(request))
    request.caller = caller
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
  const access = endpoint?.access ?? 'service'
  if ((access === 'service') !== (caller.kind === 'service')) {
    throw errors.unauthenticated({ detail: `a ${caller.kind} token on ${access}` })
  }
  if (endpoint?.access === 'service') {
    if (!endpoint.callers.some((name) => caller.claims.sub === `svc:${name}`)) throw errors.forbidden()
  } else if (endpoint && caller.kind === 'user') {
    checkPermission(endpoint.permission, caller.claims.role)
  }
}

const actionSchema = z.object({ action: z.object({ kind: z.string() }) })

/**
 * Checks what the action of a parsed body needs beside the endpoint's own permission.
 * @throws `forbidden`.
 */
export function checkAction({ actionPermissions }: Endpoint, body: unknown, caller: InternalCaller | null): void {
  const { data } = actionSchema.safeParse(actionPermissions && body)
  const needed = data && actionPermissions?.[data.action.kind]
  if (needed && caller?.kind === 'user') checkPermission(needed, caller.claims.role)
}

/** @throws `forbidden`, with the permission in words and whom to ask for it. */
export function checkPermission(needed: Needed, role: Role): void {
  if (needed === 'self' || needed === 'member' || can(role, needed)) return
  const granting = rolesGranting(needed).join(' or ')
  throw errors.forbidden(`You may not ${describePermission(needed)}. Ask an ${granting} of the workspace.`)
}
