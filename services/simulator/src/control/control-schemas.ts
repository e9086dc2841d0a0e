import { z } from 'zod'
import { type GraphCode, isGraphCode } from '../graph/graph-error.ts'
import { statuses } from '../records.ts'
import { digitsOf } from '../world.ts'

export const who = {
  from: z.string().max(40).optional(),
  user_id: z.string().max(160).optional(),
  phone_number_id: z.string().optional(),
}
export const inboundSchema = z.looseObject({
  ...who,
  name: z.string().max(120).optional(),
  type: z.string().max(40).default('text'),
  reply_to: z.string().max(512).optional(),
  forwarded: z.boolean().optional(),
  frequently_forwarded: z.boolean().optional(),
  referral: z.record(z.string(), z.unknown()).optional(),
  referred_product: z.record(z.string(), z.unknown()).optional(),
  at: z.number().int().optional(),
})
export const pressSchema = z.object({
  wamid: z.string(),
  button: z.string().optional(),
  row: z.string().optional(),
  /** Values that were entered in a flow. */
  flow: z.record(z.string().max(100), z.unknown()).optional(),
})
export const reactSchema = z.object({ wamid: z.string(), emoji: z.string().max(32).default('') })
export const editSchema = z.object({ wamid: z.string(), body: z.string().min(1).max(4096) })
export const byWamid = z.object({ wamid: z.string() })
export const statusSchema = z.object({
  wamid: z.string(),
  status: z.enum(statuses),
  error: z.number().int().optional(),
})
export const changeNumberSchema = z.object({ ...who, to: z.string().min(7).max(20) })
export const preferenceSchema = z.object({ ...who, value: z.enum(['stop', 'resume']) })
export const echoSchema = z.looseObject({ ...who, type: z.string().default('text') })
export const customerSchema = z.object({
  phone: z.string().min(7).max(20).optional(),
  name: z.string().min(1).max(120).optional(),
  username: z.string().max(35).nullable().optional(),
  hidesPhone: z.boolean().optional(),
  online: z.boolean().optional(),
  reads: z.enum(['auto', 'opened', 'never']).optional(),
  blocks: z.array(z.string()).optional(),
})
export const injectSchema = z.object({
  call: z.enum(['message', 'template']).default('message'),
  numberId: z.string().optional(),
  to: z.string().transform(digitsOf).optional(),
  trigger: z.union([
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.enum(['next', 'every']), count: z.number().int().min(1).max(1_000_000) }),
  ]),
  effect: z.union([
    z.object({
      kind: z.literal('error'),
      code: z.custom<GraphCode | 190>(
        (code) => typeof code === 'number' && (code === 190 || isGraphCode(code)),
        'is not a code that the simulator answers with',
      ),
    }),
    z.object({ kind: z.literal('hang'), ms: z.number().int().min(0).max(600_000) }),
    z.object({ kind: z.enum(['reset', 'not_json']) }),
  ]),
})
export const webhookFaultsSchema = z
  .object({
    signature: z.enum(['right', 'wrong', 'missing']),
    copies: z.number().int().min(1).max(20),
    shuffleMs: z.number().int().min(0).max(60_000),
    batchMs: z.number().int().min(0).max(60_000),
    entries: z.number().int().min(1).max(100),
    paused: z.boolean(),
    oldBySeconds: z
      .number()
      .int()
      .min(0)
      .max(30 * 24 * 3600),
    paddingBytes: z
      .number()
      .int()
      .min(0)
      .max(4 * 1024 * 1024),
    unknown: z.boolean(),
    escaped: z.boolean(),
  })
  .partial()
export const limitsSchema = z
  .object({
    standardPerSecond: z.number().positive().nullable(),
    highPerSecond: z.number().positive().nullable(),
    onAppPerSecond: z.number().positive().nullable(),
    pairDepth: z.number().positive().nullable(),
    uniqueUsers: z.number().positive().nullable(),
    managementPerHour: z.number().positive().nullable(),
  })
  .partial()
export const ladderSchema = z
  .object({
    sentMs: z.number().int().min(0),
    deliveredMs: z.number().int().min(0),
    readMs: z.number().int().min(0),
    jitterMs: z.number().int().min(0),
    refuseClosedWindow: z.boolean(),
    swap: z.boolean(),
    skipDelivered: z.boolean(),
    dropEvery: z.number().int().min(0).max(1_000_000),
    copies: z.number().int().min(1).max(20),
    beforeAnswer: z.boolean(),
    contacts: z.boolean(),
    conversation: z.boolean(),
  })
  .partial()
const digitsSchema = z.string().transform(digitsOf).pipe(z.string().min(7).max(15))
export const waIdSchema = z
  .object({
    brazil: z.boolean(),
    mexico: z.boolean(),
    argentina: z.boolean(),
    numbers: z.record(digitsSchema, digitsSchema),
  })
  .partial()
export const clockSchema = z.object({
  advance: z
    .number()
    .int()
    .min(0)
    .max(400 * 24 * 3600_000),
})
export const accountSchema = z.object({ account_id: z.string() })
export const rawSchema = z.object({ account_id: z.string(), body: z.unknown() })
export const accountEventSchema = z.object({ account_id: z.string(), field: z.string().max(80), value: z.unknown() })
export const qualitySchema = z.object({
  phone_number_id: z.string(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
})
export const capabilitySchema = z.object({ account_id: z.string(), tier: z.string().max(40) })
/** `in_ms`: milliseconds after which it ends; absent: at once. */
const tokenEnd = { in_ms: z.number().int().positive().optional() }
/** Names one token, or each that a number was made with. */
export const tokenSchema = z.union([
  z.object({ token: z.string(), ...tokenEnd }),
  z.object({ phone_number_id: z.string(), ...tokenEnd }),
])
export const assertSchema = z.object({
  to: z.string(),
  since: z.number().optional(),
  count: z.number().int().optional(),
})

export const peopleSchema = z.object({
  phone_number_id: z.string(),
  people: z
    .array(
      z.object({
        phone: z.string().min(7).max(20),
        name: z.string().min(1).max(120),
        /** Time at which they last wrote to the number, in milliseconds since 1970: the window opened then. */
        lastInboundAt: z.number().int().min(0).default(0),
        answers: z.array(z.string().min(1).max(4096)).max(20).default([]),
      }),
    )
    .max(1000),
})
