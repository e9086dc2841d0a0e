import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, timeSchema } from '../core/records.ts'

/** Member, by user id, or API key, by its public id. */
const auditActorSchema = z.object({ kind: z.enum(['member', 'key']), id: idSchema })

/** Subject of an entry: a record by its id. `kind` is its collection or the first part of the operation. */
const auditTargetSchema = z.object({ kind: z.string().min(1).max(64), id: z.string().min(1).max(300) })

const plainValueSchema = z.union([
  z.string().max(64),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string().max(64)).max(64),
])

/**
 * A field that was written. Values are told where the contract lists them (a choice, a number, yes or no); of free text, which may
 * hold secrets and personal data, the field's name alone.
 */
const auditChangeSchema = z.object({
  field: z.string().max(64),
  from: plainValueSchema.optional(),
  to: plainValueSchema.optional(),
})
export type AuditChange = z.infer<typeof auditChangeSchema>

const outcomeSchema = z.enum(['done', 'refused', 'failed'])
export const maxAuditTargets = 10
export const maxAuditChanges = 60

const auditContentSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{24}$/),
  at: timeSchema,
  actor: auditActorSchema,
  /** The operation: `members.change`. */
  action: z.string().min(1).max(64),
  /** Its first part: `members`. */
  resource: z.string().min(1).max(64),
  targets: z.array(auditTargetSchema).max(maxAuditTargets),
  changes: z.array(auditChangeSchema).max(maxAuditChanges),
  outcome: outcomeSchema,
  requestId: z.string().max(128),
})

/** Address and device of a call: what is erased with a person. */
const auditPersonalSchema = z.object({
  ip: z.string().max(64).optional(),
  device: z.string().max(128).optional(),
})
export type AuditPersonal = z.infer<typeof auditPersonalSchema>

/** Personal details under their salt, and the digest that stays when both are erased: SHA-256 of salt and details. */
const sealedPersonalSchema = auditPersonalSchema.extend({ salt: z.string().max(64) })

/** An entry as its service has stored it, before it has its place in the chain. */
export const auditRowSchema = auditContentSchema.extend({
  personal: sealedPersonalSchema.optional(),
  personalDigest: z.string().max(64).optional(),
})
export type AuditRow = z.infer<typeof auditRowSchema>

/** An entry as people and keys read it. */
const auditEntrySchema = auditContentSchema.extend({
  actor: auditActorSchema.extend({
    /** Name of the person; absent for keys, and for a person who has been erased. */
    name: z.string().max(120).optional(),
  }),
  ip: z.string().max(64).optional(),
  device: z.string().max(128).optional(),
  /** Place in the chain and its hash; `null` for the moment until it has them. */
  seq: z.number().int().positive().nullable(),
  hash: z.string().max(64).nullable(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

const filterFields = {
  /** User id of a person or public id of a key. */
  actor: idSchema.optional(),
  /** Id of a record: its history. */
  target: z.string().min(1).max(300).optional(),
  /** First part of operations: `campaigns`. */
  resource: z.string().min(1).max(64).optional(),
  outcome: outcomeSchema.optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
}

/** Entries in one call between services. */
export const maxAuditRows = 100

export const auditApi = {
  list: defineEndpoint({
    operation: 'audit.list',
    method: 'GET',
    path: '/api/audit',
    access: 'session',
    permission: 'audit:read',
    v1: true,
    summary: 'What was done in the workspace and by whom, newest first.',
    query: z.object({
      ...filterFields,
      limit: z.coerce.number().int().min(1).max(100).optional(),
      cursor: z.string().max(128).optional(),
    }),
    status: 200,
    response: z.object({ items: z.array(auditEntrySchema).max(100), nextCursor: z.string().max(128).nullable() }),
    errors: [],
  }),
  download: defineEndpoint({
    operation: 'audit.download',
    method: 'GET',
    path: '/api/audit/file',
    access: 'session',
    permission: 'audit:export',
    audit: 'read',
    summary:
      'The entries in the order of their chain, with the key-less parts of it: NDJSON for `audit:verify`, or CSV.',
    query: z.object({ ...filterFields, format: z.enum(['ndjson', 'csv']).optional() }),
    status: 200,
    responseType: 'stream',
    errors: [],
  }),
}

/** Days for which entries are kept. `version` is 0 before the first change. */
const auditRetentionSchema = z.object({
  days: z
    .number()
    .int()
    .min(90, 'Keep entries for at least 90 days.')
    .max(2557, 'Entries are kept for at most seven years.'),
  version: z.number().int().nonnegative(),
})
export type AuditRetention = z.infer<typeof auditRetentionSchema>

export const defaultAuditRetention: AuditRetention = { days: 400, version: 0 }

export const auditRetentionApi = {
  read: defineEndpoint({
    operation: 'auditRetention.read',
    method: 'GET',
    path: '/api/workspace/audit-retention',
    access: 'session',
    permission: 'audit:read',
    summary: 'How long entries of the audit log are kept.',
    status: 200,
    response: auditRetentionSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'auditRetention.update',
    method: 'PUT',
    path: '/api/workspace/audit-retention',
    access: 'session',
    permission: 'audit:retain',
    summary:
      'Sets how long entries are kept, from 90 days to seven years. Older ones go within a day, behind a checkpoint of the chain.',
    body: auditRetentionSchema,
    status: 200,
    response: auditRetentionSchema,
    errors: ['stale_version'],
  }),
}

/** Events of sign-in that the BFF alone sees. */
const signInActions = [
  'auth.signIn',
  'auth.signInFailed',
  'auth.signOut',
  'auth.endSessions',
  'auth.changePassword',
] as const

/** Calls of the audit log for other Parley processes only. */
export const auditInternalApi = {
  receive: defineEndpoint({
    operation: 'audit.receive',
    method: 'POST',
    path: '/internal/audit',
    access: 'service',
    callers: ['messaging-worker', 'automation-worker'],
    summary: 'Takes entries of another service about the workspace that the token names, each once.',
    body: z.object({ entries: z.array(auditRowSchema).min(1).max(maxAuditRows) }),
    bodyLimitBytes: 1024 * 1024,
    /** The ids of the entries make it safe. */
    repeatable: true,
    status: 204,
    errors: [],
  }),
  noteSignIn: defineEndpoint({
    operation: 'audit.noteSignIn',
    method: 'POST',
    path: '/internal/audit/sign-ins',
    access: 'service',
    callers: ['bff'],
    summary: 'Notes a sign-in, its failure or its end, in the workspace of the person: of failures one in 15 minutes.',
    body: z.object({
      action: z.enum(signInActions),
      /** Account at the identity provider, or the address that somebody has typed. */
      account: z.union([
        z.object({ userId: idSchema, workspaceId: idSchema }),
        z.object({ email: z.string().min(1).max(254) }),
      ]),
      requestId: z.string().max(128),
      ...auditPersonalSchema.shape,
    }),
    status: 204,
    errors: [],
  }),
}
