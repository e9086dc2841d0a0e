import type { z } from 'zod'
import type { Permission } from '../account/permissions.ts'
import type { ErrorCode } from './errors.ts'

type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Access to an endpoint, as the BFF and the services enforce it. */
export type Access =
  /** Anyone. */
  | 'public'
  /** A live session cookie. */
  | 'session'
  /** A live session cookie and, as Bearer, an ID token which that session issued. */
  | 'session+bearer'
  /** An API key whose scopes hold the permission; only `/v1` has such an endpoint, and its path begins so. */
  | 'key'
  /** Another Parley process with an internal token `sub: svc:<process>`; never routed from outside. */
  | 'service'

/** Requirement for a signed-in caller: a permission of their role; access to their own record only; or mere membership. */
export type Needed = Permission | 'self' | 'member'

type Authority =
  | { readonly access: 'public' }
  | {
      readonly access: 'session' | 'session+bearer'
      readonly permission: Needed
      /**
       * Also served at `/v1` and its path without `/api`, to an API key whose scopes hold the permission. Its handler is given the
       * caller as `ctx.actor`.
       */
      readonly v1?: true
    }
  | { readonly access: 'key'; readonly permission: Needed }
  /** `callers`: names of the processes whose own tokens are accepted. */
  | { readonly access: 'service'; readonly callers: readonly string[] }

/** One HTTP call, written once and read by the service, the BFF's allow-list, the frontend and the OpenAPI document. */
export type Endpoint = Call & Authority

interface Call {
  /** Stable name for logs, metrics and traces: `profile.update`. */
  readonly operation: string
  readonly method: HttpMethod
  /** Path with `:param` segments: `/internal/accounts/:sub`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /**
   * Format of the request body. `json` (where absent) is parsed by `body`; `raw` reaches the handler as received bytes (a
   * signature is checked over them); `stream` reaches it as a stream (an upload).
   */
  readonly bodyType?: 'json' | 'raw' | 'stream'
  /** Largest accepted request body in bytes; the server's default where absent. */
  readonly bodyLimitBytes?: number
  /** Endpoint whose answer is computed for each call: none is kept for a repetition with the same `Idempotency-Key`. */
  readonly repeatable?: true
  /** Endpoint whose answer holds a secret that is shown once: for a repetition with the same `Idempotency-Key` it is kept sealed. */
  readonly secretAnswer?: true
  /** Endpoint that waits, for half a minute at most, for data that is not there yet. */
  readonly waits?: true
  /** Status of a success. */
  readonly status: 200 | 201 | 202 | 204
  /**
   * Format of the response. `json` (where absent) is parsed by `response`; `stream` is a file; `events` are server-sent events,
   * which end when either side closes and have no time limit.
   */
  readonly responseType?: 'json' | 'stream' | 'events'
  /** Body of a success; absent for 202, 204 and whatever is not JSON. */
  readonly response?: z.ZodType
  /** Open to a password account with an unverified address; all others answer it `email_not_verified`. */
  readonly allowsUnverified?: true
  /** The caller has signed in, or typed their password again, within the last ten minutes; else `confirmation_required`. */
  readonly fresh?: true
  /** A change that the owner of a workspace makes while it is being deleted; all others are refused with `workspace_closing`. */
  readonly whileClosing?: true
  /** Permissions that some values of `body.action.kind` need beside the endpoint's own. Checked once the body is parsed. */
  readonly actionPermissions?: Readonly<Record<string, Permission>>
  /**
   * Entry of the audit log. By default each call of a member or a key that is no GET leaves one. `none` where the record itself tells
   * what was done, or nobody asks; `read` for a GET that takes data out of Parley.
   */
  readonly audit?: 'none' | 'read'
  /** Instruction on when to use it: an endpoint of `/v1` that has one is a tool of the MCP server too. */
  readonly tool?: string
  /** Codes which this endpoint may answer, beyond those that every endpoint may. */
  readonly errors: readonly ErrorCode[]
}

/** Declares an endpoint, keeping its literal types so that callers and handlers are checked against its schemas. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint

/** Returns whether a call of an endpoint that has succeeded leaves an entry in the audit log. */
export const isAudited = ({ access, method, audit }: Endpoint): boolean =>
  access !== 'public' && access !== 'service' && (method === 'GET' ? audit === 'read' : audit !== 'none')

/** Returns whether API keys may call an endpoint. */
export const isForKeys = (endpoint: Endpoint): boolean =>
  endpoint.access === 'key' || ('v1' in endpoint && endpoint.v1 === true)

/** Returns whether programs call an endpoint of the public API without a key. */
export const isOpenCall = ({ access, path }: Endpoint): boolean => access === 'public' && path.startsWith('/v1/')

/** Path of an endpoint of the public API: `/api/contacts/:id` is `/v1/contacts/:id`. */
export const publicPath = ({ path }: Pick<Endpoint, 'path'>): `/v1/${string}` =>
  `/v1/${path.replace(/^\/(?:api|v1)\//, '')}`

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined
type InferInput<T> = T extends z.ZodType ? z.input<T> : undefined

/** Input of a handler: parsed values, `undefined` for a part that the endpoint does not declare. */
export interface EndpointInput<E extends Endpoint> {
  readonly params: Infer<E['params']>
  readonly query: Infer<E['query']>
  readonly body: Infer<E['body']>
}

/** Request of a caller: only the declared parts, before parsing. */
export type EndpointRequest<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends z.ZodType ? K : never]: InferInput<E[K]>
}

/** Body of a success, parsed; `undefined` for 202 and 204. */
export type EndpointResponse<E extends Endpoint> = Infer<E['response']>
