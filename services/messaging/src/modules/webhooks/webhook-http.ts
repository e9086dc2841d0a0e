import { createOutboundHttp, type OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { MessagingConfig } from '../../config.ts'

/** For an exchange, and of it for the connection. */
const timeoutMs = 15_000
const connectTimeoutMs = 5000
const maxAnswerBytes = 16 * 1024
/** Below it, beside 443, are mail, shells and other services that are no receivers. */
const minPort = 1024

type Settings = Pick<MessagingConfig, 'NODE_ENV' | 'WEBHOOK_ALLOW_PRIVATE' | 'HOOKS_PUBLIC_URL' | 'LINKS_PUBLIC_URL'>

/**
 * HTTP to the receivers of webhooks: public https addresses that are not our own.
 * @throws where a production process is to call private addresses.
 */
export function createWebhookHttp(config: Settings): OutboundHttp {
  const allowLoopback = config.WEBHOOK_ALLOW_PRIVATE === 'on'
  if (allowLoopback && config.NODE_ENV === 'production')
    throw new Error('WEBHOOK_ALLOW_PRIVATE is for development and is refused with NODE_ENV=production.')
  const own = [config.HOOKS_PUBLIC_URL, config.LINKS_PUBLIC_URL].flatMap((url) => (url ? new URL(url).hostname : []))
  return createOutboundHttp({
    allowLoopback,
    // On a developer's machine receivers are where we are.
    ownHosts: allowLoopback ? [] : own,
    minPort,
    timeoutMs,
    connectTimeoutMs,
    maxAnswerBytes,
  })
}
