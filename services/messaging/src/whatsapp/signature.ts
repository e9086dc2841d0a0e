import { createHmac, timingSafeEqual } from 'node:crypto'

const header = /^sha256=([0-9a-f]{64})$/

/**
 * Returns whether a webhook was signed with one of the app's secrets: HMAC-SHA256 over the received bytes, compared in constant
 * time. Two secrets are accepted while one replaces the other. Source: Meta, Graph API webhooks, validating payloads.
 */
export function isSignedBy(body: Buffer, signature: string | undefined, secrets: readonly string[]): boolean {
  const claimed = header.exec(signature ?? '')?.[1]
  if (claimed === undefined) return false
  const bytes = Buffer.from(claimed, 'hex')
  // Every secret is tried, so that the time reveals nothing.
  return secrets
    .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(body).digest(), bytes))
    .includes(true)
}
