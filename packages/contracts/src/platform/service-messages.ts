import { z } from 'zod'
import { maxApiKeys } from '../account/api-keys.ts'
import { memberChangeSchema } from '../account/members.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, timeSchema } from '../core/records.ts'
import { actorSchema } from './events.ts'

const messageFields = {
  /** Unique for good: a message that comes again is applied once. */
  id: idSchema,
  /** Time at which it was recorded. */
  at: timeSchema,
  by: actorSchema.pick({ kind: true, id: true }),
}

const toldMemberSchema = memberChangeSchema.extend({
  /** API keys that a removed member had made and that still work. */
  keys: z
    .array(z.object({ id: idSchema, name: z.string().max(80) }))
    .max(2 * maxApiKeys)
    .optional(),
})

/** A message that one service has recorded in a transaction for another, about the workspace that the token names. */
const serviceMessageSchema = z.discriminatedUnion('type', [
  /** Membership as it is after a change: a removed member's conversations are handed back, and pages read members again. */
  z.object({ ...messageFields, type: z.literal('member.changed'), data: toldMemberSchema }),
  /** A workspace of a person who has had their trial: it begins without one. */
  z.object({ ...messageFields, type: z.literal('workspace.created'), data: z.object({ trial: z.literal(false) }) }),
  /** The workspace is being deleted and stands still, or goes on again. */
  z.object({ ...messageFields, type: z.literal('workspace.state'), data: z.object({ closing: z.boolean() }) }),
  /** An API key will end: those who can replace it are told. */
  z.object({
    ...messageFields,
    type: z.literal('apiKey.ending'),
    data: z.object({ keyId: idSchema, name: z.string().max(80), expiresAt: timeSchema, days: z.number().int().min(0) }),
  }),
])
export type ServiceMessage = z.infer<typeof serviceMessageSchema>
export type ServiceMessageOf<T extends ServiceMessage['type']> = Extract<ServiceMessage, { type: T }>

/** Services that take messages. */
type Addressee = 'messaging'

/** A message as a transaction sends it; `id` and `at` are added. */
export type NewServiceMessage = Unsent<ServiceMessage> & {
  readonly workspaceId: string
  readonly to: Addressee
}
type Unsent<M> = M extends unknown ? Omit<M, 'id' | 'at'> : never

/** Messages in one call of an inbox. */
export const maxServiceMessages = 100

/** The inbox of messaging. */
export const inboxApi = {
  receive: defineEndpoint({
    operation: 'internal.inbox',
    method: 'POST',
    path: '/internal/inbox',
    access: 'service',
    callers: ['profile-worker'],
    summary: 'Applies messages of another service in their order, each once.',
    body: z.object({ messages: z.array(serviceMessageSchema).min(1).max(maxServiceMessages) }),
    bodyLimitBytes: 256 * 1024,
    /** Repetitions are safe: each message has an id. */
    repeatable: true,
    status: 204,
    errors: [],
  }),
}
