import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, timeSchema } from '../core/records.ts'

/** Calls of an address that are shown. */
export const maxShownCalls = 50
/** Addresses of one workflow: triggers that were deleted since may still have theirs. */
export const maxHooks = 20
/** Bytes of a call's body. */
const maxHookBytes = 64 * 1024
/** Calls of one address within a minute. */
export const hookCallsPerMinute = 60

/** A token is `whk_` and 256 random bits, in all cells but the home cell with the id of its workspace between them. */
const hookToken = /^whk_(?:([0-9a-f]{24})_)?[\w-]{43}$/
export const hookTokenSchema = z.string().regex(hookToken)
/** Returns the workspace that a token names; `undefined` for one that names none, or is no token. */
export const workspaceOfHook = (token: string): string | undefined => hookToken.exec(token)?.[1]

/** Results of a call: what `reason` of a start that is left out says, or what was wrong with the call. */
export const hookResults = [
  'started',
  'held',
  'enrolled',
  'cool_down',
  'filter',
  'gone',
  'limit_reached',
  'refused',
] as const
export type HookResult = (typeof hookResults)[number]

const answerSchema = z.object({
  /** `held`: the run waits for a person; others but `started`: the rules of the workflow leave the contact out. */
  result: z.enum(hookResults),
  runId: idSchema.nullable(),
  contactId: idSchema.nullable(),
  /** True where this call was answered before, and nothing was started again. */
  repeated: z.boolean(),
})
export type HookAnswer = z.infer<typeof answerSchema>

/** Address of a trigger; the token itself is shown once. */
const hookSchema = z.object({
  nodeId: idSchema,
  /** Last four characters of its token. */
  last4: z.string().length(4),
  createdAt: timeSchema,
  lastCallAt: timeSchema.nullable(),
})
export type Hook = z.infer<typeof hookSchema>

const callSchema = z.object({
  id: idSchema,
  at: timeSchema,
  result: z.enum(hookResults),
  /** Fault of the call, as its caller was told. */
  problem: z.string().max(300).nullable(),
  /** Fields of the body with the kind of their values, without the values: `/customer/phone text`. */
  fields: z.array(z.string().max(120)).max(30),
  /** Calls that came again with the same key. */
  repeats: z.number().int().nonnegative(),
  runId: idSchema.nullable(),
})
export type HookCall = z.infer<typeof callSchema>

const ofNode = z.object({ id: idSchema, nodeId: idSchema })

export const hooksApi = {
  call: defineEndpoint({
    operation: 'hooks.call',
    method: 'POST',
    path: '/v1/hooks/:token',
    access: 'public',
    summary:
      'Starts a workflow for the contact that the JSON body names, once for an `Idempotency-Key`. The address is the credential.',
    params: z.object({ token: z.string().max(200) }),
    bodyType: 'raw',
    bodyLimitBytes: maxHookBytes,
    status: 202,
    response: answerSchema,
    errors: [
      'not_found',
      'workspace_closing',
      'wrong_state',
      'not_published',
      'validation_failed',
      'malformed_json',
      'rate_limited',
    ],
  }),
  list: defineEndpoint({
    operation: 'hooks.list',
    method: 'GET',
    path: '/api/workflows/:id/hooks',
    access: 'session',
    permission: 'workflows:read',
    summary: 'Addresses by which other systems start a workflow, without their tokens.',
    params: z.object({ id: idSchema }),
    status: 200,
    response: z.object({ items: z.array(hookSchema).max(maxHooks) }),
    errors: ['not_found'],
  }),
  replace: defineEndpoint({
    operation: 'hooks.replace',
    method: 'PUT',
    path: '/api/workflows/:id/hooks/:nodeId',
    access: 'session',
    permission: 'workflows:publish',
    summary: 'Makes the address of a trigger, shown once; the one that it had is refused from now on.',
    params: ofNode,
    secretAnswer: true,
    status: 200,
    response: hookSchema.extend({ token: hookTokenSchema }),
    errors: ['not_found', 'limit_reached'],
  }),
  revoke: defineEndpoint({
    operation: 'hooks.revoke',
    method: 'DELETE',
    path: '/api/workflows/:id/hooks/:nodeId',
    access: 'session',
    permission: 'workflows:publish',
    summary: 'Revokes the address of a trigger.',
    params: ofNode,
    status: 204,
    errors: ['not_found'],
  }),
  calls: defineEndpoint({
    operation: 'hooks.calls',
    method: 'GET',
    path: '/api/workflows/:id/hooks/:nodeId/calls',
    access: 'session',
    permission: 'workflows:write',
    summary: 'The last calls of an address, of a week at most, with what came of them.',
    params: ofNode,
    status: 200,
    response: z.object({ items: z.array(callSchema).max(maxShownCalls) }),
    errors: ['not_found'],
  }),
}
