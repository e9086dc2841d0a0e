import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { maxKeyNumbers } from '../core/internal-token.ts'
import { idSchema, storedFields, timeSchema } from '../core/records.ts'
import { cellNameSchema } from './cells.ts'
import { type Permission, permissions } from './permissions.ts'

/** Permissions that a key can have, in the order in which people choose them: those of the endpoints of `/v1`. */
export const keyScopes = [
  'conversations:read',
  'conversations:write',
  'conversations:assign',
  'contacts:read',
  'contacts:write',
  'contacts:export',
  'segments:read',
  'segments:write',
  'templates:read',
  'campaigns:read',
  'campaigns:write',
  'campaigns:send',
  'numbers:read',
  'webhooks:read',
  'webhooks:write',
  'webhooks:secret',
  'webhooks:replay',
  'events:read',
  'analytics:read',
  'audit:read',
  'workspace:read',
] as const satisfies readonly Permission[]
export type KeyScope = (typeof keyScopes)[number]

/** Scopes whose records belong to one number, or to none: those of a key that is limited to numbers. */
export const scopesByNumber: ReadonlySet<Permission> = new Set<KeyScope>([
  'conversations:read',
  'conversations:write',
  'conversations:assign',
  'contacts:read',
  'contacts:write',
  'segments:read',
  'templates:read',
  'numbers:read',
  'analytics:read',
])

/** Maximum keys of a workspace that are not revoked. */
export const maxApiKeys = 50
/** Choices for the days that a key is valid. */
export const keyDays = [30, 90, 365] as const
/** Days before its end on which the members who may replace a key are told, once each. */
export const keyNoticeDays = [7, 1] as const
/** Hours for which a replaced key stays valid. */
export const overlapHours = [0, 1, 24, 168] as const
/** Maximum calls of a key that are kept, for 7 days. */
export const maxKeyCalls = 500

const networkSchema = z.union(
  [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
  'Enter an address or a network: 203.0.113.0/24',
)

const keyFields = z.object({
  name: z.string().trim().min(1, 'Give the key a name.').max(80, 'The name can have at most 80 characters.'),
  scopes: z.array(z.enum(keyScopes)).min(1, 'Choose at least one scope.').max(keyScopes.length),
  /** Ids of the numbers that it is limited to; absent or empty: all of the workspace. */
  numbers: z.array(idSchema).max(maxKeyNumbers).optional(),
  /** Addresses and networks (CIDR) from which it may be used; absent or empty: anywhere. */
  networks: z.array(networkSchema).max(20).optional(),
})

const noneBeyondNumbers = (
  { scopes = [], numbers = [] }: { scopes?: readonly string[] | undefined; numbers?: readonly string[] | undefined },
  issues: z.core.$RefinementCtx,
) => {
  const beyond = numbers.length > 0 ? scopes.filter((scope) => !scopesByNumber.has(scope as Permission)) : []
  if (beyond.length > 0)
    issues.addIssue({
      code: 'custom',
      path: ['scopes'],
      message: `A key for some numbers cannot have ${beyond.join(', ')}: they are about the whole workspace.`,
    })
}

/** `null`: until it is revoked, which is for an owner to decide. */
export const expiresInDays = z.literal(keyDays).nullable()
export const newApiKeySchema = keyFields
  .extend({ expiresInDays: expiresInDays.default(365) })
  .superRefine(noneBeyondNumbers)
export type NewApiKey = z.infer<typeof newApiKeySchema>

/** Absent fields stay; an empty list lifts the limit. */
export const apiKeyChangeSchema = keyFields
  .partial()
  .extend({
    /** Counted from now. */
    expiresInDays: expiresInDays.optional(),
    version: storedFields.version,
  })
  .superRefine(noneBeyondNumbers)
export type ApiKeyChange = z.infer<typeof apiKeyChangeSchema>

export const apiKeySchema = z.object({
  ...storedFields,
  /** Its first characters, which are no secret: `ply_` and `id`. */
  prefix: z.string().max(20),
  name: z.string().max(80),
  scopes: z.array(z.enum(permissions)).max(permissions.length),
  numbers: z.array(idSchema).max(maxKeyNumbers),
  networks: z.array(z.string().max(50)).max(20),
  /** `null`: it never expires. */
  expiresAt: timeSchema.nullable(),
  expired: z.boolean(),
  /** Member who made it. */
  createdBy: idSchema,
  /** Id of the key that replaces it: it is valid until `expiresAt`. */
  replacedBy: idSchema.nullable(),
  /** Time of the last use, to the minute. */
  lastUsedAt: timeSchema.nullable(),
  lastUsedIp: z.string().max(45).nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

/** A new key with its secret, which is shown only once. */
export const issuedKeySchema = z.object({ key: apiKeySchema, secret: z.string().max(100) })
export type IssuedKey = z.infer<typeof issuedKeySchema>

export const byKey = z.object({ id: idSchema })

const callSchema = z.object({
  at: timeSchema,
  operation: z.string().max(80),
  status: z.number().int(),
  /** Error code; absent for a call that succeeded. */
  code: z.string().max(60).optional(),
  ms: z.number().nonnegative(),
  requestId: z.string().max(64),
})
export type KeyCall = z.infer<typeof callSchema>

/** Latest calls of a key, kept by the BFF. */
export const keyCallsApi = {
  list: defineEndpoint({
    operation: 'apiKeys.calls',
    method: 'GET',
    path: '/api/api-keys/:id/calls',
    access: 'session',
    permission: 'api_keys:read',
    summary: `The last ${maxKeyCalls} calls of a key, the newest first; none is older than 7 days.`,
    params: byKey,
    status: 200,
    response: z.object({ items: z.array(callSchema).max(maxKeyCalls) }),
    errors: [],
  }),
}

/** Facts about a key that lets a call in. */
export const keyContextSchema = z.object({
  id: idSchema,
  name: z.string().max(80),
  workspaceId: z.string(),
  scopes: z.array(z.enum(permissions)),
  numbers: z.array(idSchema),
  networks: z.array(z.string()),
  /** Cell that holds the workspace; absent: the home cell. */
  cell: cellNameSchema.optional(),
  /** `null`: it never expires. */
  expiresAt: timeSchema.nullable(),
  /** Raised by each change. */
  version: z.number().int().positive(),
})
export type KeyContext = z.infer<typeof keyContextSchema>

/**
 * Redis key under which the profile service says the newest version of a key as a decimal number: {@link KeyContext}s with a
 * lower one are out of date. Absent where nothing has changed for long.
 */
export const keyVersionKey = (id: string): string => `key:{${id}}`

/** Uses in one call of `keysInternalApi.seen`. */
export const maxKeyUses = 1000

export const keysInternalApi = {
  context: defineEndpoint({
    operation: 'apiKeys.context',
    method: 'POST',
    path: '/internal/key-context',
    access: 'service',
    callers: ['bff'],
    summary: 'What a key may do. Not found: unknown, revoked, expired, or another secret.',
    body: z.object({ id: idSchema, hash: z.string().max(64) }),
    repeatable: true,
    status: 200,
    response: keyContextSchema,
    errors: ['not_found'],
  }),
  seen: defineEndpoint({
    operation: 'apiKeys.seen',
    method: 'POST',
    path: '/internal/keys-seen',
    access: 'service',
    callers: ['bff'],
    summary: 'Notes when and from where keys were used last.',
    body: z.object({
      items: z.array(z.object({ id: idSchema, at: timeSchema, ip: z.string().max(45) })).max(maxKeyUses),
    }),
    bodyLimitBytes: 256 * 1024,
    repeatable: true,
    status: 204,
    errors: [],
  }),
}
