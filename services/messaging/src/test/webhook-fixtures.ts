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
