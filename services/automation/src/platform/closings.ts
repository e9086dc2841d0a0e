import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'

/** Milliseconds for which a process believes what it was told. */
const keptMs = 1000

export type Closings = () => Promise<ReadonlySet<string>>

/**
 * Knows the workspaces that are being deleted, as of a second ago at most: their automations stand still. While messaging does not
 * answer, those that were known before.
 */
export function createClosings({
  askMessaging,
  logger,
  now = Date.now,
}: {
  readonly askMessaging: (
    scope: WorkspaceScope,
    endpoint: typeof messagingInternalApi.closed,
    request: object,
  ) => Promise<EndpointResponse<typeof messagingInternalApi.closed>>
  readonly logger: Pick<Logger, 'debug'>
  readonly now?: () => number
}): Closings {
  let latest: ReadonlySet<string> = new Set()
  let known = { until: 0, ids: Promise.resolve(latest) }

  async function readAll(): Promise<ReadonlySet<string>> {
    try {
      const { workspaceIds } = await askMessaging({ workspaceId: '' }, messagingInternalApi.closed, {})
      latest = new Set(workspaceIds)
    } catch (error) {
      logger.debug({ err: error }, 'messaging did not say which workspaces are being deleted')
    }
    return latest
  }

  return () => {
    if (now() >= known.until) known = { until: now() + keptMs, ids: readAll() }
    return known.ids
  }
}
