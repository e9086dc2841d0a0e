import { createHmac } from 'node:crypto'
import type { LoadRequest } from '../load.ts'

/** Target of a business's webhooks, and the secret that signs them. */
export interface Hook {
  readonly url: string
  readonly appSecret: string
  readonly accountId: string
}

/** A request to the webhook address, signed. */
export type Webhook = Required<LoadRequest>

interface InboundText {
  readonly phoneNumberId: string
  /** Digits. */
  readonly from: string
  readonly wamid: string
  readonly text: string
}

/** A customer's text, as the platform reports it. */
export const inboundText = (hook: Hook, { phoneNumberId, from, wamid, text }: InboundText): Webhook =>
  signed(hook, {
    ...around(phoneNumberId),
    contacts: [{ wa_id: from, profile: { name: `Customer ${from.slice(-4)}` } }],
    messages: [{ id: wamid, from, timestamp: secondsNow(), type: 'text', text: { body: text } }],
  })

interface StatusOf {
  readonly phoneNumberId: string
  readonly to: string
  readonly wamid: string
  readonly status: 'sent' | 'delivered' | 'read'
  /** Our own id of the message, which the platform gives back. */
  readonly callbackData: string
}

/** Returns a webhook with the status of one of the business's messages. */
export const statusOf = (hook: Hook, { phoneNumberId, to, wamid, status, callbackData }: StatusOf): Webhook =>
  signed(hook, {
    ...around(phoneNumberId),
    statuses: [
      {
        id: wamid,
        status,
        timestamp: secondsNow(),
        recipient_id: to,
        biz_opaque_callback_data: callbackData,
        conversation: { id: `c${to}`, origin: { type: 'service' } },
        pricing: { billable: false, pricing_model: 'PMP', category: 'service', type: 'regular' },
      },
    ],
  })

/** A webhook that reports nothing: it is answered as any other, and leaves no trace. */
export const emptyWebhook = (hook: Hook): Webhook => signedBody(hook, { ...envelope, entry: [] })

const around = (phoneNumberId: string) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550000000', phone_number_id: phoneNumberId },
})

const secondsNow = () => String(Math.floor(Date.now() / 1000))

const envelope = { object: 'whatsapp_business_account' }

const signed = (hook: Hook, value: object): Webhook =>
  signedBody(hook, { ...envelope, entry: [{ id: hook.accountId, changes: [{ field: 'messages', value }] }] })

function signedBody({ appSecret }: Hook, webhook: object): Webhook {
  const body = JSON.stringify(webhook)
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
  return { headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature }, body }
}
