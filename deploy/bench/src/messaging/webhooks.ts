import { createHmac } from 'node:crypto'
import { type LoadResult, runLoad, writeRequests } from '../load.ts'

/** Where webhooks of a business go, and what signs them. */
export interface Hook {
  readonly url: string
  readonly appSecret: string
  readonly accountId: string
}

/** A request to the webhook address: `[signature, body]`. */
export type SignedWebhook = readonly [string, string]

export interface InboundText {
  readonly phoneNumberId: string
  /** Digits. */
  readonly from: string
  readonly wamid: string
  readonly text: string
}

/** A customer's text, as the platform tells of it. */
export const inboundText = (hook: Hook, { phoneNumberId, from, wamid, text }: InboundText): SignedWebhook =>
  signed(hook, {
    ...around(phoneNumberId),
    contacts: [{ wa_id: from, profile: { name: `Customer ${from.slice(-4)}` } }],
    messages: [{ id: wamid, from, timestamp: secondsNow(), type: 'text', text: { body: text } }],
  })

export interface StatusOf {
  readonly phoneNumberId: string
  readonly to: string
  readonly wamid: string
  readonly status: 'sent' | 'delivered' | 'read'
  /** Our own id of the message, which the platform gives back. */
  readonly callbackData: string
}

/** How far a message of the business has come. */
export const statusOf = (hook: Hook, { phoneNumberId, to, wamid, status, callbackData }: StatusOf): SignedWebhook =>
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

const around = (phoneNumberId: string) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550000000', phone_number_id: phoneNumberId },
})

const secondsNow = () => String(Math.floor(Date.now() / 1000))

function signed({ appSecret, accountId }: Hook, value: object): SignedWebhook {
  const entry = [{ id: accountId, changes: [{ field: 'messages', value }] }]
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
  return [`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`, body]
}

const headersOf = (signature: string) => ({ 'content-type': 'application/json', 'x-hub-signature-256': signature })

/** Posts one webhook. @throws where it is not taken. */
export async function post({ url }: Hook, [signature, body]: SignedWebhook): Promise<void> {
  const { status } = await fetch(url, { method: 'POST', headers: headersOf(signature), body })
  if (status !== 200) throw new Error(`ingest answered ${status}`)
}

/** Posts webhooks over kept connections. @throws where any of them was not taken. */
export const postWebhooks = (
  webhooks: readonly SignedWebhook[],
  { file, ...load }: { url: string; file: string; connections: number; seconds?: number },
): Promise<LoadResult> =>
  runLoad({
    ...load,
    file: writeRequests(
      file,
      webhooks.map(([signature, body]) => ({ headers: headersOf(signature), body })),
    ),
  })
