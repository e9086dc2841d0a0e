import { createHmac } from 'node:crypto'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Pick<Awaited<ReturnType<typeof joinMessaging>>, 'simulator' | 'place'>
export interface WebhookChange {
  readonly field: string
  readonly value: object
}

/** Sends a webhook with these changes of the number, as the platform would. */
export const sendWebhook = ({ simulator, place }: Parley, ...changes: WebhookChange[]) =>
  simulator.call('/webhook/raw', {
    account_id: place.accountId,
    body: {
      object: 'whatsapp_business_account',
      entry: [{ id: place.accountId, time: 1_767_225_600, changes }],
    },
  })

export const headOf = ({ place }: Parley) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '1', phone_number_id: place.phoneNumberId },
})

/** Posts a body to the callback of a workspace as the platform signs it. @returns the answer's status. */
export async function postSigned(
  { services, scope, place }: Pick<Awaited<ReturnType<typeof joinMessaging>>, 'services' | 'scope' | 'place'>,
  body: string | Buffer<ArrayBuffer>,
  signature = signatureOf(body, place.appSecret),
): Promise<number> {
  const { url } = await services.endpoints.callback(scope)
  const answer = await fetch(url, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body })
  await answer.arrayBuffer()
  return answer.status
}

const signatureOf = (body: string | Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
