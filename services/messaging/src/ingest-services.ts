import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import { inSession } from '@parley/service-kit/data/session'
import { createMoves } from '@parley/service-kit/data/workspace-moves'
import type { Queues } from '@parley/service-kit/queue/queues'
import { createRecountHints } from './modules/campaigns/run/recount-hints.ts'
import { createLinkClicksRepository } from './modules/campaigns/tracking/link-clicks.repository.ts'
import { createLinkVisits } from './modules/campaigns/tracking/link-visits.ts'
import { createEndpointKeys } from './modules/channel/endpoints/endpoint-keys.ts'
import { createEndpointsRepository } from './modules/channel/endpoints/endpoints.repository.ts'
import { createHandOn } from './modules/channel/ingest/hand-on.ts'
import { createIngestService } from './modules/channel/ingest/ingest.service.ts'
import { createRawEventsRepository } from './modules/channel/ingest/raw-events.repository.ts'
import { messagesIn } from './modules/inbox/messages/messages.model.ts'
import { createLinkTokens } from './modules/outbound/link-tokens.ts'
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
export function createIngest({ logger, metrics, mongo, box, keys, queues }: Dependencies) {
  const { countStored, countVisit } = createIngestMetrics(metrics)
  const messages = messagesIn(mongo)
  return {
    countVisit,
    gate: moveGateOf(mongo),
    handOn: createHandOn(createMoves(mongo)),
    endpointKeys: createEndpointKeys({ endpoints: createEndpointsRepository(mongo), box }),
    ingest: createIngestService({
      rawEvents: createRawEventsRepository(mongo),
      lanes: queues.lanes('apply'),
      countStored,
    }),
    linkVisits: createLinkVisits({
      hintRecount: createRecountHints(queues.jobs('campaign-counts').add),
      transaction: (work) => inSession(mongo, (session) => work({ session })),
      logger,
      tokens: createLinkTokens(keys),
      readMessage: (scope, id) => messages(scope).findOne({ _id: id }),
      clicks: createLinkClicksRepository(mongo),
      countVisit,
    }),
  }
}
