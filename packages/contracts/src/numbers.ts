import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  byId,
  countSchema,
  pageOf,
  pageQueryFields,
  phoneSchema,
  secretSchema,
  storedFields,
  timeSchema,
} from './records.ts'

const numberStatuses = ['active', 'pending', 'disconnected'] as const
const numberQualities = ['high', 'medium', 'low', 'unknown'] as const
const verificationStatuses = ['verified', 'pending'] as const

/** Meta's ids are strings of digits. */
const metaIdSchema = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter the ${what}`)
    .regex(/^\d{5,32}$/, `The ${what} consists of digits only`)

const displayNameSchema = z.string().trim().min(1, 'Enter a display name').max(60, 'At most 60 characters')
const accessTokenSchema = z.string().trim().min(20, 'Enter the full access token').max(512, 'At most 512 characters')

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
  webhook: z.object({ verified: z.boolean(), lastEventAt: timeSchema.nullable() }),
  isDefault: z.boolean(),
})
export type WhatsAppNumber = z.infer<typeof numberSchema>

export const newNumberSchema = z.object({
  displayName: displayNameSchema,
  phoneNumber: phoneSchema,
  phoneNumberId: metaIdSchema('phone number ID'),
  businessAccountId: metaIdSchema('business account ID'),
  accessToken: accessTokenSchema,
})
export type NewNumber = z.infer<typeof newNumberSchema>

export const numbersApi = {
  list: defineEndpoint({
    operation: 'numbers.list',
    method: 'GET',
    path: '/api/numbers',
    access: 'session',
    permission: 'numbers:read',
    summary: 'Connected WhatsApp numbers.',
    query: z.object({ ...pageQueryFields, status: z.enum(numberStatuses).optional() }),
    status: 200,
    response: pageOf(numberSchema),
    errors: [],
  }),
  connect: defineEndpoint({
    operation: 'numbers.connect',
    method: 'POST',
    path: '/api/numbers',
    access: 'session',
    permission: 'numbers:write',
    summary: 'Connects a number; it is pending until the platform has verified it.',
    body: newNumberSchema,
    status: 201,
    response: numberSchema,
    errors: ['number_exists'],
  }),
  update: defineEndpoint({
    operation: 'numbers.update',
    method: 'PATCH',
    path: '/api/numbers/:id',
    access: 'session',
    permission: 'numbers:write',
    summary: 'Changes the name, the default or the access token of a number.',
    params: byId,
    body: z.object({
      displayName: displayNameSchema.optional(),
      isDefault: z.literal(true).optional(),
      accessToken: accessTokenSchema.optional(),
      version: z.number().int().positive(),
    }),
    status: 200,
    response: numberSchema,
    errors: ['not_found', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'numbers.remove',
    method: 'DELETE',
    path: '/api/numbers/:id',
    access: 'session',
    permission: 'numbers:write',
    summary: 'Disconnects a number and deletes it; its conversations stay.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
}
