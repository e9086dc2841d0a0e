import { AppError } from '@parley/service-kit/core/errors'
import { OutboundError, type OutboundHttp } from '@parley/service-kit/core/outbound-http'

/** Refuses an address that would not be called. @throws `webhook_target_refused` on `url`. */
export type CheckTarget = (url: string) => Promise<void>

/** A name that cannot be looked up at this moment is no reason: it is checked again with each connection. */
export const createCheckTarget =
  (http: Pick<OutboundHttp, 'check'>): CheckTarget =>
  async (url) => {
    try {
      await http.check(url)
    } catch (error) {
      if (!(error instanceof OutboundError) || error.reason !== 'address_refused') return
      const message = `Parley does not call this address: ${error.message}. Use an https address on the public internet.`
      throw new AppError('webhook_target_refused', message, { fields: { url: message } })
    }
  }
