import { newWebhookSchema, typedSecretSchema, type Webhook } from '@parley/contracts/platform/webhooks'
import type { z } from 'zod'

/** The contract's schema over the form. Of a webhook that exists the secret is replaced on its own tab. */
export const webhookFormSchema = newWebhookSchema.extend({ secret: typedSecretSchema })
export type WebhookForm = z.infer<typeof webhookFormSchema>

export const emptyWebhook: WebhookForm = { name: '', url: '', events: [], secret: '' }

export const formOf = ({ name, url, events }: Webhook): WebhookForm => ({ name, url, events, secret: '' })
