import { AppError } from '@parley/service-kit/core/errors'
import { OutboundError, type OutboundHttp } from '@parley/service-kit/core/outbound-http'

/**
 * Refuses an address that would not be called. A name that cannot be looked up at this moment is no reason: it is checked again
 * with each connection.
 * @throws `webhook_target_refused` on `url`.
 */
export async function checkTarget(http: Pick<OutboundHttp, 'check'>, url: string): Promise<void> {
  try {
    await http.check(url)
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason !== 'address_refused') return
    const message = `Parley does not call this address: ${error.message}. Use an https address on the public internet.`
    throw new AppError('webhook_target_refused', message, { fields: { url: message } })
  }
}
