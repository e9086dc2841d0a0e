import { type NewWebhook, newWebhookSchema, type Webhook } from '@parley/contracts/platform/webhooks'
import { z } from 'zod'

/** Choices for the secret of a webhook that has one. */
const secretChoices = ['keep', 'replace', 'remove'] as const

/** The contract's schema over the form: the typed secret counts only where it is to be set. */
export const webhookFormSchema = newWebhookSchema
  .extend({ secret: z.string(), secretChoice: z.enum(secretChoices) })
  .superRefine(({ secret, secretChoice }, context) => {
    if (secretChoice !== 'replace') return
    const { error } = newWebhookSchema.shape.secret.safeParse(secret)
    const problem = secret.length > 256 ? 'At most 256 characters' : 'At least 16 characters'
    if (error) context.addIssue({ code: 'custom', path: ['secret'], message: problem })
  })
export type WebhookForm = z.infer<typeof webhookFormSchema>

export const emptyWebhook: WebhookForm = { name: '', url: '', events: [], secret: '', secretChoice: 'replace' }

export const formOf = ({ name, url, events, secret }: Webhook): WebhookForm => ({
  name,
  url,
  events,
  secret: '',
  secretChoice: secret.set ? 'keep' : 'replace',
})

/** Returns the webhook to send; no secret leaves the stored one. */
export function webhookOf({ secret, secretChoice, ...rest }: WebhookForm): NewWebhook {
  if (secretChoice === 'keep') return rest
  return { ...rest, secret: secretChoice === 'remove' ? '' : secret }
}
