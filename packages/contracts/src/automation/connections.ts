import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, storedFields, timeSchema } from '../core/records.ts'
import { flowKinds } from './flow-summary.ts'
import { headerNameSchema, httpRequestFields } from './http-request.ts'

export const maxConnections = 50

/** Maximum characters of a test's answer that are shown. */
const maxShownAnswer = 64 * 1024

const secretSchema = z
  .string()
  .min(1, 'Enter the secret')
  .max(4000, 'At most 4,000 characters')
  .regex(/^[\x20-\x7e]*$/, 'Use letters, digits and signs of ASCII, without line breaks')
const userNameSchema = z
  .string()
  .min(1, 'Enter the user name')
  .max(200, 'At most 200 characters')
  .regex(/^[\x20-\x39\x3b-\x7e]*$/, 'Use ASCII without a colon')

const authentication = <S extends z.ZodType>(secret: S) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('bearer'), secret }),
    z.object({ kind: z.literal('basic'), username: userNameSchema, secret }),
    z.object({ kind: z.literal('header'), header: headerNameSchema, secret }),
  ])

/** Proof that a connection gives of who calls. Its secret is sealed, and no answer shows it again. */
export const shownAuthenticationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('bearer') }),
  z.object({ kind: z.literal('basic'), username: userNameSchema }),
  z.object({ kind: z.literal('header'), header: headerNameSchema }),
])

const baseUrlSchema = z
  .string()
  .trim()
  .max(500, 'At most 500 characters')
  .regex(/^https?:\/\/[^\s\\?#{}@]+$/i, 'Enter an https address without query and variables')

const nameSchema = z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters')

const usageSchema = z.object({
  kind: z.enum(flowKinds),
  id: idSchema,
  name: z.string().max(80),
  /** False where only the draft uses it. */
  published: z.boolean(),
})

const connectionSchema = z.object({
  ...storedFields,
  name: z.string().max(80),
  /** Scheme, host and perhaps a path, without a slash at the end: what every call of a flow begins with. */
  baseUrl: z.string().max(500),
  authentication: shownAuthenticationSchema,
  /** True where the other system does a repeated call with the same `Idempotency-Key` once. */
  repeatable: z.boolean(),
  /** Until when calls fail at once, because the host has failed many times in a row. */
  failingUntil: timeSchema.optional(),
})
export type Connection = z.infer<typeof connectionSchema>
export type ConnectionUsage = z.infer<typeof usageSchema>

export const newConnectionSchema = z.object({
  name: nameSchema,
  baseUrl: baseUrlSchema,
  authentication: authentication(secretSchema),
  repeatable: z.boolean().default(false),
})
export type NewConnection = z.input<typeof newConnectionSchema>

/** States of a test: it waits for its turn, is on its way, or has ended. */
export const callStates = ['waiting', 'started', 'answered', 'failed', 'uncertain'] as const
export type CallState = (typeof callStates)[number]

const testResultSchema = z.object({
  id: idSchema,
  state: z.enum(callStates),
  /** Status of the answer, if one came. */
  status: z.number().int().optional(),
  /** Reason of a failure: `timeout`, `http_status`, `address_refused`. */
  code: z.string().max(60).optional(),
  ms: countSchema.optional(),
  bytes: countSchema.optional(),
  /** Beginning of the answer, as text. */
  answer: z.string().max(maxShownAnswer).optional(),
})
export type CallTest = z.infer<typeof testResultSchema>

export const connectionsApi = {
  list: defineEndpoint({
    operation: 'connections.list',
    method: 'GET',
    path: '/api/connections',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Connections to other systems, which steps of bots and workflows call, by name.',
    status: 200,
    response: z.object({ items: z.array(connectionSchema).max(maxConnections) }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'connections.read',
    method: 'GET',
    path: '/api/connections/:id',
    access: 'session',
    permission: 'workflows:read',
    summary: 'One connection, and the flows that use it.',
    params: byId,
    status: 200,
    response: connectionSchema.extend({ usedBy: z.array(usageSchema).max(200) }),
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'connections.create',
    method: 'POST',
    path: '/api/connections',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Adds a connection. Its secret is sealed and never shown again.',
    body: newConnectionSchema,
    status: 201,
    response: connectionSchema,
    errors: ['connection_exists', 'address_refused', 'limit_reached'],
  }),
  update: defineEndpoint({
    operation: 'connections.update',
    method: 'PATCH',
    path: '/api/connections/:id',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes what is named of a connection. A secret that is left out stays, unless the host changes.',
    params: byId,
    body: z.object({
      name: nameSchema.optional(),
      baseUrl: baseUrlSchema.optional(),
      authentication: authentication(secretSchema.optional()).optional(),
      repeatable: z.boolean().optional(),
      version: z.number().int().positive(),
    }),
    status: 200,
    response: connectionSchema,
    errors: ['not_found', 'connection_exists', 'address_refused', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'connections.remove',
    method: 'DELETE',
    path: '/api/connections/:id',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Deletes a connection that no published flow uses.',
    params: byId,
    status: 204,
    errors: ['not_found', 'in_use'],
  }),
  test: defineEndpoint({
    operation: 'connections.test',
    method: 'POST',
    path: '/api/connections/:id/tests',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Makes one real call. Its result is read by its id, for ten minutes.',
    params: byId,
    body: z.object(httpRequestFields),
    status: 202,
    response: testResultSchema,
    errors: ['not_found', 'limit_reached'],
  }),
  readTest: defineEndpoint({
    operation: 'connections.readTest',
    method: 'GET',
    path: '/api/connections/:id/tests/:callId',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Result of a test call.',
    params: byId.extend({ callId: idSchema }),
    status: 200,
    response: testResultSchema,
    errors: ['not_found'],
  }),
}
