import { createHmac } from 'node:crypto'
import type { Secret } from '@parley/service-kit/core/secret-box'
import { z } from 'zod'
import type { GraphClient } from './graph-client.ts'

/** A number at WhatsApp, and the token that reaches it. */
export interface NumberAccess {
  readonly graph: GraphClient
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly accessToken: Secret
}

const word = z.string().max(200).optional().catch(undefined)
const tokenSchema = z.object({
  data: z.looseObject({
    is_valid: z.boolean(),
    expires_at: z.number().optional().catch(undefined),
    scopes: z.array(z.string()).default([]).catch([]),
    error: z.looseObject({ message: z.string().optional() }).optional().catch(undefined),
  }),
})
const numberListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })
const numberSchema = z.looseObject({
  display_phone_number: word,
  verified_name: word,
  quality_rating: word,
  code_verification_status: word,
  platform_type: word,
  status: word,
  name_status: word,
  is_on_biz_app: z.boolean().optional().catch(undefined),
  throughput: z.looseObject({ level: word }).optional().catch(undefined),
  whatsapp_business_manager_messaging_limit: word,
})
export type NumberAtWhatsApp = z.infer<typeof numberSchema>
const doneSchema = z.looseObject({ success: z.boolean() })

const fields = Object.keys(numberSchema.shape).join(',')

/**
 * Graph API calls about a number. Each throws `GraphCallFailed` with WhatsApp's own words. Source: Meta, WhatsApp Business
 * Management API.
 */
export const numberCalls = {
  /** Reads the token's permissions and expiry. */
  inspectToken: async ({ graph, accessToken }: NumberAccess) => {
    const token = accessToken.reveal()
    const { data } = await graph.call('GET', 'debug_token', {
      accessToken: token,
      query: { input_token: token },
      answer: tokenSchema,
    })
    const endsAt = data.expires_at ? new Date(data.expires_at * 1000) : undefined
    return { isValid: data.is_valid, scopes: data.scopes, endsAt, problem: data.error?.message }
  },

  /** Ids of the account's numbers. */
  numbersOfAccount: async ({ graph, businessAccountId, accessToken }: NumberAccess): Promise<string[]> => {
    const { data } = await graph.call('GET', `${businessAccountId}/phone_numbers`, {
      accessToken: accessToken.reveal(),
      query: { fields: 'id', limit: '1000' },
      answer: numberListSchema,
    })
    return data.map(({ id }) => id)
  },

  describe: ({ graph, phoneNumberId, accessToken }: NumberAccess): Promise<NumberAtWhatsApp> =>
    graph.call('GET', phoneNumberId, { accessToken: accessToken.reveal(), query: { fields }, answer: numberSchema }),

  /** Directs the account's webhooks to this address. WhatsApp calls it for the handshake before it answers. */
  subscribe: async (
    { graph, businessAccountId, accessToken }: NumberAccess,
    { url, verifyToken }: { url: string; verifyToken: Secret },
  ): Promise<void> => {
    await graph.call('POST', `${businessAccountId}/subscribed_apps`, {
      accessToken: accessToken.reveal(),
      body: { override_callback_uri: url, verify_token: verifyToken.reveal() },
      answer: doneSchema,
    })
  },

  unsubscribe: async ({ graph, businessAccountId, accessToken }: NumberAccess): Promise<void> => {
    await graph.call('DELETE', `${businessAccountId}/subscribed_apps`, {
      accessToken: accessToken.reveal(),
      answer: doneSchema,
    })
  },

  /** Fails where the secret is not that of the app which the token was made for. */
  proveAppSecret: async ({ graph, phoneNumberId, accessToken }: NumberAccess, appSecret: Secret): Promise<void> => {
    const token = accessToken.reveal()
    const proof = createHmac('sha256', appSecret.reveal()).update(token).digest('hex')
    await graph.call('GET', phoneNumberId, {
      accessToken: token,
      query: { fields: 'id', appsecret_proof: proof },
      answer: z.looseObject({ id: z.string() }),
    })
  },

  register: async ({ graph, phoneNumberId, accessToken }: NumberAccess, pin: string): Promise<void> => {
    await graph.call('POST', `${phoneNumberId}/register`, {
      accessToken: accessToken.reveal(),
      body: { messaging_product: 'whatsapp', pin },
      answer: doneSchema,
    })
  },
}
