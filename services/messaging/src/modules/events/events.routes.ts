import { eventsApi, transientEvents } from '@parley/contracts/platform/event-stream'
import { errors } from '@parley/service-kit/core/errors'
import { mount } from '@parley/service-kit/http/mount'
import type { StreamEvent } from '@parley/service-kit/http/send-events'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

/** Named as the contract names them: recorded events are one kind, whatever their type. */
const unlogged: ReadonlySet<string> = new Set([...transientEvents, 'reset'])

export default async function eventsRoutes(scope: FastifyInstance, { events }: FeatureOptions): Promise<void> {
  mount(scope, eventsApi.stream, async ({ ctx, lastEventId, signal }) =>
    named(await events.open({ workspaceId: ctx.workspaceId, after: numberOf(lastEventId), signal })),
  )
}

async function* named(stream: AsyncGenerator<StreamEvent>): AsyncGenerator<StreamEvent> {
  for await (const item of stream) yield unlogged.has(item.event) ? item : { ...item, event: 'record' }
}

function numberOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined) return undefined
  if (!/^\d{1,15}$/.test(lastEventId)) throw errors.badRequest('Last-Event-ID is not a number of an event.')
  return Number(lastEventId)
}
