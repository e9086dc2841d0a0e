import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import { createMoves } from '@parley/service-kit/data/workspace-moves'
import type { Queues } from '@parley/service-kit/queue/queues'
import { createLinkVisits } from './modules/campaigns/tracking/link-visits.ts'
import { createEndpointKeys } from './modules/channel/endpoints/endpoint-keys.ts'
import { createHandOn } from './modules/channel/ingest/hand-on.ts'
import { createIngestService } from './modules/channel/ingest/ingest.service.ts'
import { messagesIn } from './modules/inbox/messages/messages.model.ts'
import { createIngestMetrics } from './platform/ingest-metrics.ts'

interface Dependencies {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly mongo: ServiceConnection
  readonly box: SecretBox
  readonly keys: readonly NamedKey[]
  readonly queues: Pick<Queues, 'lanes' | 'jobs'>
}

/** Wires what strangers call: webhooks are checked and stored, visits of counted links are led on and counted. */
export function createIngest(deps: Dependencies) {
  const { mongo, metrics } = deps
  const { countStored, countVisit } = createIngestMetrics(metrics)
  const messages = messagesIn(mongo)
  return {
    countVisit,
    gate: moveGateOf(mongo),
    handOn: createHandOn(createMoves(mongo)),
    endpointKeys: createEndpointKeys(deps),
    ingest: createIngestService({ ...deps, countStored }),
    linkVisits: createLinkVisits({
      ...deps,
      countVisit,
      readMessage: (scope, id) => messages(scope).findOne({ _id: id }),
    }),
  }
}
