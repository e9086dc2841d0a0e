import { can, type Permission, type Role } from '@parley/contracts/account/permissions'
import type { Access } from '@parley/contracts/core/endpoint'
import type { KeyTokenClaims, ServiceTokenClaims, UserTokenClaims } from '@parley/contracts/core/internal-token'
import type { NewEvent } from '@parley/contracts/platform/events'
import { errors } from '../core/errors.ts'
import type { InternalCaller } from '../core/internal-token.ts'

/** Caller as an actor: a member, by their user id, or an API key of the workspace, by its public id. */
interface Actor {
  readonly kind: 'user' | 'key'
  readonly id: string
}

/** Caller of an endpoint that API keys may call too: its handler sees nothing that only members have. */
export interface ActorContext {
  readonly actor: Actor
  readonly workspaceId: string
  readonly requestId: string
  /** Returns whether the role of the member, or the scopes of the key, hold a permission. */
  readonly may: (permission: Permission) => boolean
  /** Ids of the numbers that a key is limited to; all of the workspace where absent. */
  readonly numbers?: readonly string[]
  /** Set for a member who sees their own conversations alone: their user id. */
  readonly viewer?: string
  /** Set for a call with an `Idempotency-Key`. */
  readonly intent?: Intent
}

/** One intent of a caller, the same in every repetition of a call with its `Idempotency-Key`. */
export interface Intent {
  /** Hash of workspace, caller, operation and key. */
  readonly id: string
  /** Time at which the intent was first received. */
  readonly at: Date
}

/** Caller of a request made on behalf of a signed-in user. The first argument of every service function. */
export interface UserContext extends ActorContext {
  readonly userId: string
  readonly role: Role
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

interface Guarded {
  readonly access: Access
  readonly v1?: true
}

/** The context that a handler receives for what an endpoint declares. */
export type ContextFor<E extends Guarded> = E['access'] extends 'service'
  ? ServiceContext
  : E extends { access: 'key' } | { v1: true }
    ? ActorContext
    : E['access'] extends 'session' | 'session+bearer'
      ? UserContext
      : { readonly requestId: string }

type Of = Pick<ActorContext, 'requestId' | 'intent' | 'viewer'>

export const userContext = (claims: UserTokenClaims, of: Of): UserContext => ({
  ...of,
  actor: { kind: 'user', id: claims.sub },
  userId: claims.sub,
  workspaceId: claims.wid,
  role: claims.role,
  may: (permission) => can(claims.role, permission),
  claims,
})

export const keyContext = (claims: KeyTokenClaims, of: Of): ActorContext => ({
  ...of,
  actor: { kind: 'key', id: keyIdOf(claims) },
  workspaceId: claims.wid,
  may: (permission) => claims.scopes.includes(permission),
  ...(claims.numbers && { numbers: claims.numbers }),
})

/** Returns the public id of a token's key. */
const keyIdOf = ({ sub }: Pick<KeyTokenClaims, 'sub'>): string => sub.slice('key:'.length)

export const serviceContext = (claims: ServiceTokenClaims, requestId: string): ServiceContext => ({
  caller: claims.sub,
  workspaceId: claims.wid,
  requestId,
  claims,
})

/** Returns the workspace that a call of another process is about. @throws `forbidden` for a token that names none. */
export function scopeOf({ workspaceId }: ServiceContext): { readonly workspaceId: string } {
  if (workspaceId === undefined) throw errors.forbidden('The token names no workspace.')
  return { workspaceId }
}

/** Work of a member or an API key, or of Parley itself where no one has asked for it. */
export interface Caused {
  readonly actor: Actor | { readonly kind: 'system' }
}

/** Returns the actor as the cause of an event. */
export function causeOf({ actor }: Caused): NewEvent['by'] {
  if (actor.kind === 'system') return { kind: 'system' }
  return { kind: actor.kind === 'user' ? 'user' : 'api_key', id: actor.id }
}

/** Returns the user id of a caller who is a member. */
export const memberIdOf = ({ actor }: Caused): string | undefined => (actor.kind === 'user' ? actor.id : undefined)

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authority scope once the internal token is verified. */
    caller: InternalCaller | null
    /** Set by a service that limits what a member sees, before the handler runs. */
    viewer?: string
    /** Error that the error handler answered for, kept for the request's log line. */
    failure: unknown
  }
}
