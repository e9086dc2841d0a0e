import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { eventFeedApi } from '@parley/contracts/platform/event-feed'
import { eventsApi, transientEvents } from '@parley/contracts/platform/event-stream'
import { publicEventSources } from '@parley/contracts/platform/public-events-of'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { ActorContext } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { StreamEvent } from '@parley/service-kit/http/send-events'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'
import { createVisibleEvents } from '../inbox/visibility/visible-events.ts'

/** Names as in the contract: recorded events are one kind, whatever their type. */
const unlogged: ReadonlySet<string> = new Set([...transientEvents, 'reset'])
/** Calls of one key that wait for events, in this process. */
const maxWaiting = 2

export default async function eventsRoutes(
  scope: FastifyInstance,
  { events, services: { publicFeed, visibility, inbox } }: FeatureOptions,
): Promise<void> {
  const visibleEvents = createVisibleEvents({ ...inbox, viewerOf: visibility.viewerOf })
  mount(scope, eventsApi.stream, async ({ ctx, lastEventId, signal }) =>
    named(
      visibleEvents(ctx, await events.open({ workspaceId: ctx.workspaceId, after: numberOf(lastEventId), signal })),
    ),
  )
  const feed = createWaitingFeed({ events, publicFeed })
  mount(scope, eventFeedApi.list, ({ ctx, query }) => feed(ctx, query))
}

async function* named(stream: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
  for await (const item of stream) yield unlogged.has(item.event) ? item : { ...item, event: 'record' }
}

function numberOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined) return undefined
  if (!/^\d{1,15}$/.test(lastEventId)) throw errors.badRequest('Last-Event-ID is not a number of an event.')
  return Number(lastEventId)
}

/** Where there is more to look through, nothing is waited for. */
const isAnswer = ({ items, hasMore }: { items: readonly unknown[]; hasMore: boolean }) => items.length > 0 || hasMore

const sources: ReadonlySet<string> = new Set([...publicEventSources, 'reset'])

/** Pages of the feed; an empty one is answered once there is something, or the time to wait is over. */
function createWaitingFeed({
  events,
  publicFeed,
}: Pick<FeatureOptions, 'events'> & Pick<FeatureOptions['services'], 'publicFeed'>) {
  const waiting = new Map<string, number>()

  return async (ctx: ActorContext, query: EndpointInput<typeof eventFeedApi.list>['query']) => {
    const start = await publicFeed.startOf(ctx, query.after)
    const page = await publicFeed.pageAfter(ctx, start, query)
    if (isAnswer(page) || !query.wait) return page
    const caller = `${ctx.workspaceId} ${ctx.actor.id}`
    const others = waiting.get(caller) ?? 0
    if (others >= maxWaiting)
      throw new AppError('rate_limited', `At most ${maxWaiting} calls of a key wait at once.`, { retryAfterSeconds: 1 })
    waiting.set(caller, others + 1)
    try {
      return await waitFor(ctx, page, { ...query, wait: query.wait })
    } finally {
      const left = (waiting.get(caller) ?? 1) - 1
      if (left > 0) waiting.set(caller, left)
      else waiting.delete(caller)
    }
  }

  async function waitFor(
    ctx: ActorContext,
    empty: Awaited<ReturnType<typeof publicFeed.pageAfter>>,
    query: EndpointInput<typeof eventFeedApi.list>['query'] & { readonly wait: number },
  ) {
    const signal = AbortSignal.timeout(query.wait * 1000)
    let page = empty
    const stream = await events.open({ workspaceId: ctx.workspaceId, after: page.upTo, signal })
    for await (const { event } of stream) {
      if (!sources.has(event)) continue
      page = await publicFeed.pageAfter(ctx, page.upTo, query)
      if (isAnswer(page)) break
    }
    return page
  }
}
