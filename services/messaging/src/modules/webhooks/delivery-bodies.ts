import type { Envelope } from '@parley/contracts/platform/public-events'
import { publicEventsOf } from '@parley/contracts/platform/public-events-of'
import { readNumbered } from '@parley/service-kit/data/event-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { DeliveryRecord } from './deliveries.model.ts'
import type { RenderEvents } from './render-events.ts'
import { testEnvelope } from './test-envelope.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly renderEvents: RenderEvents
}

export type DeliveryBodies = ReturnType<typeof createDeliveryBodies>

/** Renders the bodies of deliveries; of what is no longer kept, or is sample data, there is none. */
export const createDeliveryBodies =
  ({ mongo, renderEvents }: Dependencies) =>
  async (
    scope: WorkspaceScope,
    rows: readonly DeliveryRecord[],
  ): Promise<ReadonlyMap<DeliveryRecord, Envelope | undefined>> => {
    const logged = await readNumbered(
      mongo,
      scope.workspaceId,
      rows.flatMap(({ seq }) => seq ?? []),
    )
    const events = new Map(logged.map((event) => [event.seq, publicEventsOf(event)]))
    const told = rows.flatMap((row) => {
      const event = row.seq === undefined ? undefined : events.get(row.seq)?.find(({ n }) => n === row.n)
      return event ? [{ row, event }] : []
    })
    const envelopes = await renderEvents(
      scope,
      told.map(({ event }) => event),
    )
    const rendered = new Map(told.map(({ row }, index) => [row, envelopes[index]]))
    for (const row of rows) if (row.test) rendered.set(row, testEnvelope(scope, row))
    return rendered
  }
