import { isSignedBy } from '@parley/messaging/signature'
import { splitWebhook } from '@parley/messaging/split-webhook'
import { expect, test } from 'vitest'
import { inboundText, statusOf } from './webhooks.ts'

const hook = { url: 'http://127.0.0.1/hooks', appSecret: 'a secret of an app', accountId: '12345' }

test('ingest takes what the bench signs, each as one piece for its customer', () => {
  const phone = { phoneNumberId: '98765' }
  const webhooks = [
    inboundText(hook, { ...phone, from: '919800000001', wamid: 'wamid.1', text: 'Hi' }),
    statusOf(hook, { ...phone, to: '919800000001', wamid: 'wamid.2', status: 'read', callbackData: 'a'.repeat(24) }),
  ]
  const pieces = webhooks.map(({ headers, body }) => {
    expect(isSignedBy(Buffer.from(body), headers['x-hub-signature-256'], [hook.appSecret])).toBe(true)
    return splitWebhook(Buffer.from(body))
  })
  expect(pieces).toMatchObject([
    [{ kind: 'message', phoneNumberId: '98765', waMessageId: 'wamid.1' }],
    [{ kind: 'status', phoneNumberId: '98765', waMessageId: 'wamid.2' }],
  ])
  expect(pieces[0]?.[0]?.lane).toBe(pieces[1]?.[0]?.lane)
})
