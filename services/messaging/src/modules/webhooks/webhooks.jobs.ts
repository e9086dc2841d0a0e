import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'
import { deliveredTypes } from './plan-deliveries.ts'

/** Writes down which webhook gets which event. A process of its own sends them. */
export default ({ services: { planDeliveries } }: JobOptions): EventConsumer[] => [
  { consumer: 'webhooks', types: deliveredTypes, limit: 500, ...planDeliveries },
]
