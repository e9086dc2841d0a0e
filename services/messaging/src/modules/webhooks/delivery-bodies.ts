import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { Envelope } from '@parley/contracts/platform/public-events'
import { publicEventsOf } from '@parley/contracts/platform/public-events-of'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { DeliveryRecord } from './deliveries.model.ts'
import type { RenderEvents } from './render-events.ts'
import { testEnvelope } from './test-envelope.ts'

interface Dependencies {
  readonly readLogged: (scope: WorkspaceScope, seqs: readonly number[]) => Promise<readonly RecordedEvent[]>
  readonly renderEvents: RenderEvents
}

export type DeliveryBodies = ReturnType<typeof createDeliveryBodies>

/** Renders the bodies of deliveries; of what is no longer kept, or is sample data, there is none. */
export const createDeliveryBodies =
  ({ readLogged, renderEvents }: Dependencies) =>
  async (
    scope: WorkspaceScope,
    rows: readonly DeliveryRecord[],
  ): Promise<ReadonlyMap<DeliveryRecord, Envelope | undefined>> => {
    const logged = await readLogged(
      scope,
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
