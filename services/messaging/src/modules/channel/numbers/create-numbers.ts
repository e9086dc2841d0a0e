import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { AddNotifications } from '../../../platform/notification.ts'
import type { GraphClients } from '../../../whatsapp/graph-clients.ts'
import type { EndpointsService } from '../endpoints/endpoints.service.ts'
import { createNumberConnection } from './connect-number.ts'
import { createNumberActivity } from './number-activity.ts'
import { createNumberEvents } from './number-events.ts'
import { createNumberHealth } from './number-health.ts'
import { createNumberStore } from './number-store.ts'
import { createNumbersRepository } from './numbers.repository.ts'
import { createNumbersService } from './numbers.service.ts'
import { createSampleNumbers } from './sample-numbers.ts'
import { createSimulatedNumbers } from './simulated-numbers.ts'

/** Everything about numbers, wired. */
export function createNumbers({
  mongo,
  box,
  endpoints,
  graphs,
  transaction,
  wakeSender,
  countSent,
  addNotifications,
}: {
  mongo: ServiceConnection
  box: SecretBox
  endpoints: EndpointsService
  graphs: GraphClients
  transaction: RunInTransaction
  wakeSender: (lane: number) => void
  countSent: Parameters<typeof createNumberActivity>[1]
  addNotifications: AddNotifications
}) {
  const numbers = createNumbersRepository(mongo)
  const activity = createNumberActivity(mongo, countSent)
  const store = createNumberStore({ numbers, activity, transaction })
  const connection = createNumberConnection({ numbers, store, activity, endpoints, graphs, box })
  return {
    numbers: createNumbersService({ numbers, store, activity, connection, wakeSender }),
    simulatedNumbers: createSimulatedNumbers({ numbers, store, connection, endpoints }),
    sampleNumbers: createSampleNumbers({ mongo, numbers, activity, connection, endpoints }),
    numberHealth: createNumberHealth({ numbers, activity, connection, wakeSender, addNotifications, transaction }),
    numberEvents: createNumberEvents({ numbers, store, activity }),
    numberActivity: activity,
    numberConnection: connection,
    countStopped: numbers.countStopped,
  }
}
