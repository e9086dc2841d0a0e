import { z } from 'zod'
import { countSchema, idSchema, phoneSchema, secretSchema, storedFields, timeSchema } from '../core/records.ts'

export const numberStatuses = ['active', 'pending', 'disconnected'] as const
export const numberQualities = ['high', 'medium', 'low', 'unknown'] as const
const verificationStatuses = ['verified', 'pending'] as const
export const nameStatuses = ['approved', 'pending', 'declined', 'unknown'] as const

/** Checks of a connection, in the order in which they are tried. */
export const numberSteps = ['token', 'number', 'details', 'subscription', 'webhook', 'registration'] as const
export type NumberStep = (typeof numberSteps)[number]

/** One step of a connection's check list. */
export const numberCheckSchema = z.object({
  step: z.enum(numberSteps),
  /** `waiting`: not tried, because a step before it failed. */
  state: z.enum(['passed', 'failed', 'waiting']),
  /** Result of the check; for a failure WhatsApp's own words. */
  message: z.string().max(600),
  /** Advice to a person about a failure. */
  advice: z.string().max(300).optional(),
  at: timeSchema,
})
export type NumberCheck = z.infer<typeof numberCheckSchema>

/**
 * Text copied from another page, without the invisible characters that came along (zero-width characters, line breaks, blanks).
 */
export const pastedSchema = z
  .string()
  .max(4096)
  .transform((value) => value.replaceAll(/[\p{Cf}\p{Cc}\p{Z}]/gu, ''))

/** Meta's ids are strings of digits. */
export const metaIdSchema = (what: string) =>
  pastedSchema.pipe(
    z
      .string()
      .min(1, `Enter the ${what}`)
      .regex(/^\d{5,32}$/, `The ${what} consists of digits only`),
  )

export const displayNameSchema = z.string().trim().min(1, 'Enter a display name').max(60, 'At most 60 characters')
export const accessTokenSchema = pastedSchema.pipe(
  z
    .string()
    .min(20, 'Enter the full access token')
    .max(512, 'At most 512 characters')
    .regex(/^[\x21-\x7e]+$/, 'This is not an access token: copy it again from Meta'),
)

export const numberSchema = z.object({
  ...storedFields,
  displayName: displayNameSchema,
  phoneNumber: phoneSchema,
  phoneNumberId: metaIdSchema('phone number ID'),
  businessAccountId: metaIdSchema('business account ID'),
  status: z.enum(numberStatuses),
  verificationStatus: z.enum(verificationStatuses),
  quality: z.enum(numberQualities),
  messagesThisMonth: countSchema,
  /** Customers a day that the platform lets it open a conversation with; null is unlimited. */
  messagingLimit: countSchema.nullable(),
  throughputPerSecond: countSchema,
  accessToken: secretSchema,
  /** Null for a token that does not end, or whose end is not known. */
  accessTokenExpiresAt: timeSchema.nullable(),
  webhook: z.object({ verified: z.boolean(), lastEventAt: timeSchema.nullable() }),
  isDefault: z.boolean(),
  /** Status of the display name at WhatsApp. */
  nameStatus: z.enum(nameStatuses),
  /** Set while messages may not leave: which ones, why, and what a person can do. They wait. */
  stopped: z
    .object({
      code: z.number().int(),
      /** Messages that are stopped: all of them; templates, but no answers to customers; or marketing alone. */
      what: z.enum(['all', 'templates', 'marketing']),
      reason: z.string().max(600),
      advice: z.string().max(300),
      at: timeSchema,
    })
    .nullable(),
  checks: z.array(numberCheckSchema).max(numberSteps.length),
  /** Last problem that WhatsApp reported of the number. */
  lastError: z.object({ code: z.number().int(), title: z.string().max(300), at: timeSchema }).nullable(),
  /** Import state of earlier chats, for a number that was used in the WhatsApp Business app. */
  history: z
    .object({
      state: z.enum(['running', 'done', 'declined']),
      /** Progress in percent. */
      progress: z.number().int().min(0).max(100),
      /** Reason why the business does not share them, in WhatsApp's words. */
      reason: z.string().max(200).optional(),
      at: timeSchema,
    })
    .nullable(),
  /** Webhooks of kinds that Parley does not know: kept and not applied. */
  unknownFields: z.array(z.object({ field: z.string().max(80), count: countSchema, lastAt: timeSchema })).max(50),
  /** On the simulator instead of WhatsApp. */
  simulated: z.boolean(),
  /** Page with the phones of its customers, for a simulated number. */
  phonePageUrl: z.url().max(2000).nullable(),
})
export type WhatsAppNumber = z.infer<typeof numberSchema>

/** Event that WhatsApp has reported of a number or its account. */
export const numberEventSchema = z.object({
  id: idSchema,
  at: timeSchema,
  severity: z.enum(['info', 'success', 'warning', 'error']),
  title: z.string().max(400),
  /** Empty where the title is enough. */
  body: z.string().max(1000),
})
export type NumberEvent = z.infer<typeof numberEventSchema>

export const newNumberSchema = z.object({
  displayName: displayNameSchema,
  phoneNumber: phoneSchema,
  phoneNumberId: metaIdSchema('phone number ID'),
  businessAccountId: metaIdSchema('business account ID'),
  accessToken: accessTokenSchema,
})
export type NewNumber = z.infer<typeof newNumberSchema>
