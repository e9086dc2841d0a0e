import { keepReaching, type Retry } from '@parley/service-kit/core/keep-reaching'
import type { Logger } from '@parley/service-kit/core/logger'

/**
 * Asks for each part that this process calls over HTTP until it has answered once, and logs each time that it does not. A
 * request never waits for that: it is answered by the part, or with the error of the call.
 * @param probes reject, or resolve to false, where the part does not answer.
 */
export function reachParts(probes: Record<string, () => Promise<boolean>>, logger: Logger) {
  const parts = new Map(
    Object.entries(probes).map(([part, attempt]) => [part, keepReaching({ part, logger, attempt })]),
  )
  return {
    retryOf: (part: string): Retry | undefined => parts.get(part)?.retry(),
    stop: () => {
      for (const reaching of parts.values()) reaching.stop()
    },
  }
}
