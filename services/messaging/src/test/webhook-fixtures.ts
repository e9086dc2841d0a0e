import { createHmac } from 'node:crypto'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Pick<Awaited<ReturnType<typeof joinMessaging>>, 'simulator' | 'simulatedNumber'>
export interface WebhookChange {
  readonly field: string
  readonly value: object
}

// The current time: notifications about it are removed after 90 days.
const time = Math.floor(Date.now() / 1000)

/** Sends a webhook with these changes of the number, as the platform would. */
export const sendWebhook = ({ simulator, simulatedNumber }: Parley, ...changes: WebhookChange[]) =>
  simulator.call('/webhook/raw', {
    account_id: simulatedNumber.accountId,
    body: {
      object: 'whatsapp_business_account',
      entry: [{ id: simulatedNumber.accountId, time, changes }],
    },
  })

export const headOf = ({ simulatedNumber }: Parley) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '1', phone_number_id: simulatedNumber.phoneNumberId },
})

/** The signature of a body, as the platform sends it. */
const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/**
 * Posts a body to the callback of a workspace as the platform signs it.
 * @param signature another one, or the text that a stream comes to.
 */
export async function postSigned(
  {
    services,
    scope,
    simulatedNumber,
  }: Pick<Awaited<ReturnType<typeof joinMessaging>>, 'services' | 'scope' | 'simulatedNumber'>,
  body: string | ReadableStream,
  signed: { readonly of?: string; readonly with?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const { url } = await services.endpoints.callback(scope)
  const text = signed.of ?? (typeof body === 'string' ? body : '')
  const signature = signatureOf(text, signed.with ?? simulatedNumber.appSecret)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-hub-signature-256': signature },
    body,
    ...(typeof body !== 'string' && { duplex: 'half' as const }),
  })
  const received = await answer.text()
  return { status: answer.status, body: received === '' ? undefined : JSON.parse(received) }
}
