import { createOutboundHttp, type OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { AutomationConfig } from '../../config.ts'

const connectTimeoutMs = 5000
/** Maximum bytes of an answer. */
export const maxAnswerBytes = 1024 * 1024
/** Below it, beside 443, are mail, shells and other services that are no web servers. */
const minPort = 1024

/**
 * HTTP to the systems that connections name: public https addresses, as webhooks are sent to. No connection is kept open.
 * @throws where a production process is to call private addresses.
 */
export function createConnectionHttp(
  config: Pick<AutomationConfig, 'NODE_ENV' | 'CONNECTION_ALLOW_PRIVATE'>,
): OutboundHttp {
  const allowLoopback = config.CONNECTION_ALLOW_PRIVATE === 'on'
  if (allowLoopback && config.NODE_ENV === 'production')
    throw new Error('CONNECTION_ALLOW_PRIVATE is for development and is refused with NODE_ENV=production.')
  return createOutboundHttp({ allowLoopback, minPort, connectTimeoutMs, maxAnswerBytes, keepAlive: false })
}
