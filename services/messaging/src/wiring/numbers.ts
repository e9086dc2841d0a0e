import { createCredentialsService } from '../modules/channel/credentials/credentials.service.ts'
import { createEndpointsRepository } from '../modules/channel/endpoints/endpoints.repository.ts'
import { createEndpointsService } from '../modules/channel/endpoints/endpoints.service.ts'
import { createNumbers } from '../modules/channel/numbers/create-numbers.ts'
import { createNumberAccess } from '../modules/channel/numbers/number-access.ts'
import { createNotificationsRepository } from '../modules/notifications/notifications.repository.ts'
import { createAddNotifications } from '../modules/notifications/raise-notifications.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

export type Numbers = ReturnType<typeof wireNumbers>

/**
 * Wires the connection to WhatsApp: numbers, their credentials and the endpoints of webhooks.
 * @param hooksUrl origin at which WhatsApp reaches the ingest process.
 */
export function wireNumbers(
  { mongo, cursors, box, graphs, transaction, wakeSender }: Platform,
  stores: Stores,
  hooksUrl: string,
) {
  const endpointsRepository = createEndpointsRepository(mongo)
  const endpoints = createEndpointsService({ endpoints: endpointsRepository, box, publicUrl: hooksUrl })
  const addNotifications = createAddNotifications(createNotificationsRepository(mongo, cursors))
  const forNumbers = createNumbers({
    addNotifications,
    mongo,
    box,
    endpoints,
    graphs,
    transaction,
    wakeSender,
    countSent: stores.messages.countSent,
  })
  const { numbers, numberConnection } = forNumbers
  return {
    addNotifications,
    endpoints,
    ...forNumbers,
    numberAccess: createNumberAccess({ numbers, graphs }),
    credentials: createCredentialsService({ numbers, connection: numberConnection, endpoints }),
  }
}
