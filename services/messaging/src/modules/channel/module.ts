import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AddNotifications } from '../../platform/notification.ts'
import type { Platform } from '../../platform/platform.ts'
import { createCredentialsService } from './credentials/credentials.service.ts'
import { createEndpointsRepository } from './endpoints/endpoints.repository.ts'
import { createEndpointsService } from './endpoints/endpoints.service.ts'
import { createIngestedEvents } from './ingest/ingested-events.ts'
import { createRawEventsRepository } from './ingest/raw-events.repository.ts'
import { countReal, createNumberConnection } from './numbers/connect-number.ts'
import { createNumberAccess } from './numbers/number-access.ts'
import { createNumberActivity } from './numbers/number-activity.ts'
import { createNumberEvents } from './numbers/number-events.ts'
import { createNumberHealth } from './numbers/number-health.ts'
import { createNumberStore } from './numbers/number-store.ts'
import { createNumbersRepository } from './numbers/numbers.repository.ts'
import { createNumbersService } from './numbers/numbers.service.ts'
import { createSampleNumbers } from './numbers/sample-numbers.ts'
import { createSimulatedNumbers } from './numbers/simulated-numbers.ts'

/** Functions of higher modules that this one calls. */
export interface AboveChannel {
  readonly countSent: Parameters<typeof createNumberActivity>[1]
  readonly addNotifications: AddNotifications
  readonly planLimits: Parameters<typeof createNumberConnection>[0]['planLimits']
}
export type Channel = ReturnType<typeof createChannel>

/**
 * The connection to WhatsApp: numbers, their credentials, the endpoints of webhooks and what comes in by them.
 * @param settings.hooksUrl origin at which WhatsApp reaches the ingest process.
 */
export function createChannel(platform: Platform, above: AboveChannel, settings: { readonly hooksUrl: string }) {
  const { mongo, graphs, figures } = platform
  const publicUrl = settings.hooksUrl
  const endpoints = createEndpointsService({ ...platform, publicUrl, endpoints: createEndpointsRepository(mongo) })
  const repository = createNumbersRepository(mongo)
  const activity = createNumberActivity(mongo, above.countSent)
  const store = createNumberStore({ ...platform, activity, numbers: repository })
  const stored = { ...platform, ...above, store, activity, endpoints, numbers: repository }
  const connection = createNumberConnection(stored)
  const parts = { ...stored, connection }
  const numbers = createNumbersService(parts)
  const rawEvents = createRawEventsRepository(mongo)
  return {
    endpoints,
    numbers,
    /** Counts the numbers that a plan limits. */
    countNumbers: async (scope: WorkspaceScope) => countReal(await repository.list(scope)),
    numberAccess: createNumberAccess({ numbers, graphs }),
    numberActivity: activity,
    numberConnection: connection,
    numberEvents: createNumberEvents(stored),
    numberHealth: createNumberHealth(parts),
    simulatedNumbers: createSimulatedNumbers(parts),
    sampleNumbers: createSampleNumbers(parts),
    credentials: createCredentialsService({ numbers, connection, endpoints }),
    rawEvents,
    ingestedEvents: createIngestedEvents(rawEvents, figures.countDead),
    /** Counts for alerts. */
    waiting: { countStopped: repository.countStopped, countDead: rawEvents.countDeadByKind },
  }
}
