import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, secretSchema } from '../core/records.ts'
import { accessTokenSchema, metaIdSchema, numberCheckSchema, numberSteps, pastedSchema } from './numbers.ts'

/** The ids and the token by which Parley reaches the default number at WhatsApp, and the secrets of its webhooks. */
export const credentialsSchema = z.object({
  /** True where every part of a connection is proven. */
  connected: z.boolean(),
  /** Null while no number is connected; saving connects one then. */
  numberId: idSchema.nullable(),
  phoneNumberId: z.string().max(32),
  businessAccountId: z.string().max(32),
  accessToken: secretSchema,
  /** Signs WhatsApp's webhooks. The one before stays good until it is removed, so that it can be changed without a gap. */
  appSecret: secretSchema,
  previousAppSecret: secretSchema,
  webhook: z.object({ url: z.url().max(2000), verifyToken: secretSchema }),
})
export type Credentials = z.infer<typeof credentialsSchema>

const appSecretSchema = pastedSchema.pipe(z.string().regex(/^[\w-]{16,128}$/, 'Enter the app secret as Meta shows it'))

/** Change that a person enters; absent fields stay as they are stored. */
export const credentialsChangeSchema = z.object({
  phoneNumberId: metaIdSchema('phone number ID'),
  businessAccountId: metaIdSchema('business account ID'),
  accessToken: accessTokenSchema.optional(),
  appSecret: appSecretSchema.optional(),
})

export const credentialsApi = {
  read: defineEndpoint({
    operation: 'credentials.read',
    method: 'GET',
    path: '/api/workspace/credentials',
    access: 'session',
    permission: 'numbers:read',
    summary: 'How Parley connects to the default number. Secrets are not included.',
    status: 200,
    response: credentialsSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'credentials.update',
    method: 'PATCH',
    path: '/api/workspace/credentials',
    access: 'session',
    permission: 'numbers:write',
    summary:
      'Changes the secrets of the default number, or makes another number the default, connecting it first where necessary.',
    body: credentialsChangeSchema,
    status: 200,
    response: credentialsSchema,
    errors: ['number_exists', 'wrong_state'],
  }),
  test: defineEndpoint({
    operation: 'credentials.test',
    method: 'POST',
    path: '/api/workspace/credentials/test',
    access: 'session',
    permission: 'numbers:write',
    summary: 'Tests the connection with the entered and the stored values. Changes nothing.',
    body: credentialsChangeSchema,
    status: 200,
    response: z.object({ checks: z.array(numberCheckSchema).max(numberSteps.length) }),
    errors: ['wrong_state'],
  }),
  regenerateVerifyToken: defineEndpoint({
    operation: 'credentials.regenerateVerifyToken',
    method: 'POST',
    path: '/api/workspace/credentials/verify-token',
    access: 'session',
    permission: 'numbers:secret',
    summary: 'Creates a new verify token, which is returned only once.',
    status: 200,
    response: z.object({ verifyToken: z.string().max(128) }),
    errors: [],
  }),
  removePreviousAppSecret: defineEndpoint({
    operation: 'credentials.removePreviousAppSecret',
    method: 'DELETE',
    path: '/api/workspace/credentials/previous-app-secret',
    access: 'session',
    permission: 'numbers:write',
    summary: 'Completes the rotation of an app secret: webhooks signed with the previous one are refused.',
    status: 204,
    errors: [],
  }),
}
