import type { Access } from '@parley/contracts/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../core/errors.ts'
import type { InternalCaller } from '../core/internal-token.ts'

/** Verifies an internal token; throws `unauthenticated`. */
export type VerifyToken = (token: string) => Promise<InternalCaller>

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i

/**
 * Guards every route of a scope: the caller is known from its internal token before the body is read. A route that was
 * not mounted from an endpoint is for other Parley processes only.
 */
export function guardWithInternalToken(scope: FastifyInstance, verifyToken: VerifyToken): void {
  scope.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.endpoint?.access ?? 'service'
    if (access === 'public') return
    const caller = await verifyToken(readToken(request))
    if (!mayCall(access, caller)) throw errors.unauthenticated({ detail: `a ${caller.kind} token on ${access}` })
    request.caller = caller
  })
}

function readToken(request: FastifyRequest): string {
  const header = request.headers.authorization ?? ''
  const token = header.length <= 8192 ? bearer.exec(header)?.[1] : undefined
  if (!token) throw errors.unauthenticated({ detail: 'no internal token' })
  return token
}

const mayCall = (access: Access, caller: InternalCaller): boolean =>
  access === 'service' ? caller.kind === 'service' : caller.kind === 'user'
