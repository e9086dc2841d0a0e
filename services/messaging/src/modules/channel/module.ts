import type { Base } from '../../records.ts'
import type { ApprovalsModule } from '../approvals/module.ts'
import { createCredentialsService } from './credentials/credentials.service.ts'
import { createEndpointsService } from './endpoints/endpoints.service.ts'
import { createIngestedEvents } from './ingest/ingested-events.ts'
import { createRawEventsRepository } from './ingest/raw-events.repository.ts'
import { createNumberConnection } from './numbers/connect-number.ts'
import { createNumberActivity } from './numbers/number-activity.ts'
import { createNumberApprovals } from './numbers/number-approvals.ts'
import { createNumberEvents } from './numbers/number-events.ts'
import { createNumberHealth } from './numbers/number-health.ts'
import { createNumberStops } from './numbers/number-stops.ts'
import { createNumberStore } from './numbers/number-store.ts'
import { createNumbersService } from './numbers/numbers.service.ts'
import { createSampleNumbers } from './numbers/sample-numbers.ts'
import { createSimulatedNumbers } from './numbers/simulated-numbers.ts'

/** The services of a higher module that this one calls. */
type AboveChannel = Pick<Parameters<typeof createNumberConnection>[0], 'quota'>
export type Channel = ReturnType<typeof createChannel>

/**
 * The connection to WhatsApp: numbers, their credentials, the endpoints of webhooks and what comes in by them.
 * @param lower.hooksUrl origin at which WhatsApp reaches the ingest process.
 */
export function createChannel(lower: Base & ApprovalsModule & AboveChannel & { readonly hooksUrl: string }) {
  const { mongo, messageRecords, numberRecords } = lower
  const endpoints = createEndpointsService(lower)
  const activity = createNumberActivity(mongo, messageRecords)
  const stored = { ...lower, endpoints, activity, numbers: numberRecords }
  const parts = { ...stored, store: createNumberStore(stored) }
  const connection = createNumberConnection(parts)
  const numberApprovals = createNumberApprovals(stored)
  const stops = createNumberStops(parts)
  const numbers = createNumbersService({ ...parts, connection, stops, approvals: numberApprovals })
  const rawEvents = createRawEventsRepository(mongo)
  return {
    endpoints,
    numbers,
    numberApprovals,
    numberActivity: activity,
    numberConnection: connection,
    numberEvents: createNumberEvents(parts),
    numberHealth: createNumberHealth({ ...parts, connection }),
    simulatedNumbers: createSimulatedNumbers({ ...parts, connection }),
    sampleNumbers: createSampleNumbers({ ...parts, connection }),
    credentials: createCredentialsService({ numbers, connection, endpoints }),
    rawEvents,
    ingestedEvents: createIngestedEvents(rawEvents, lower.figures.countDead),
  }
}
