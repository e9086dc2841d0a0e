import type { Role } from '@parley/contracts/account/permissions'
import type { Access } from '@parley/contracts/core/endpoint'
import type { ServiceTokenClaims, UserTokenClaims } from '@parley/contracts/core/internal-token'
import type { InternalCaller } from '../core/internal-token.ts'

/** Caller of a request made on behalf of a signed-in user. The first argument of every service function. */
export interface UserContext {
  readonly userId: string
  readonly workspaceId: string
  readonly role: Role
  readonly requestId: string
  readonly claims: UserTokenClaims
}

/** Caller of a request that another Parley process makes on its own. */
export interface ServiceContext {
  readonly caller: string
  /** The workspace that the call is about, where its token names one. */
  readonly workspaceId: string | undefined
  readonly requestId: string
  readonly claims: ServiceTokenClaims
}

/** The context that a handler receives for an endpoint's {@link Access}. */
export type ContextFor<A extends Access> = A extends 'service'
  ? ServiceContext
  : A extends 'session' | 'session+bearer'
    ? UserContext
    : { readonly requestId: string }

export const userContext = (claims: UserTokenClaims, requestId: string): UserContext => ({
  userId: claims.sub,
  workspaceId: claims.wid,
  role: claims.role,
  requestId,
  claims,
})

export const serviceContext = (claims: ServiceTokenClaims, requestId: string): ServiceContext => ({
  caller: claims.sub,
  workspaceId: claims.wid,
  requestId,
  claims,
})

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authority scope once the internal token is verified. */
    caller: InternalCaller | null
    /** Error that the error handler answered for, kept for the request's log line. */
    failure: unknown
  }
}
