import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { Webhook } from '@parley/contracts/platform/webhooks'

/** The request that a delivery would be. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  /** Exactly the bytes that are signed. */
  readonly body: string
}

const samples: Readonly<Record<WebhookEvent, object>> = {
  'message.received': { from: '+919820012345', type: 'text', text: { body: 'Is the masala chai in stock?' } },
  'message.sent': { to: '+919820012345', type: 'text', status: 'sent' },
  'message.delivered': { to: '+919820012345', status: 'delivered' },
  'message.read': { to: '+919820012345', status: 'read' },
  'message.failed': {
    to: '+919820012345',
    status: 'failed',
    error: { code: 131026, title: 'Message undeliverable' },
  },
  'status.update': { number: '+919820012345', status: 'active', quality: 'high' },
  'account.update': { change: 'display_name_approved', displayName: 'Chai & Co' },
  'webhook.error': { webhook: 'Order updates', responseStatus: 503, attempt: 3 },
}

/** Returns the test delivery of one event. `id` and `at` make it one delivery among others. */
export function testDelivery(
  { url }: Pick<Webhook, 'url'>,
  event: WebhookEvent,
  { id, at }: { id: string; at: Date },
): Delivery {
  const body = JSON.stringify({ id, event, test: true, createdAt: at.toISOString(), data: samples[event] }, null, 2)
  return {
    headers: {
      Host: new URL(url).host,
      'Content-Type': 'application/json',
      'X-Parley-Event': event,
      'X-Parley-Delivery': id,
    },
    body,
  }
}

export const signatureHeader = 'X-Parley-Signature-256'

/** `sha256=` and the HMAC-SHA256 of the body under the secret, in hex (RFC 2104): what the receiver computes to compare. */
export async function signatureOf(body: string, secret: string): Promise<string> {
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(body)))
  return `sha256=${[...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The same request for a terminal, so that the receiver can be tried by hand. */
export function curlOf(url: string, { headers, body }: Delivery): string {
  const sent = Object.entries(headers).filter(([name]) => name !== 'Host')
  const lines = [`curl -X POST ${quoted(url)}`, ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)]
  return [...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ')
}

/** A secret that cannot be guessed: 256 random bits in hex. */
export const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
