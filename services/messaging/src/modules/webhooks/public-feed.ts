import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import type { eventFeedApi } from '@parley/contracts/platform/event-feed'
import type { Envelope } from '@parley/contracts/platform/public-events'
import {
  type PublicEvent,
  publicEventSources,
  publicEventsOf,
  sourcesOf,
} from '@parley/contracts/platform/public-events-of'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { oldestNumber, readHeads, readTypes } from '@parley/service-kit/data/event-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { noteReader } from '@parley/service-kit/data/prune-events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RenderEvents } from './render-events.ts'

type Query = EndpointInput<typeof eventFeedApi.list>['query']
/** `upTo` is the number up to which the log was looked through. */
type FeedPage = EndpointResponse<typeof eventFeedApi.list> & { readonly upTo: number }

const usualLimit = 100
/** Events read at once where most of them may be of other types. */
const minFiltered = 500
/** Bounds of one call: numbers of the log, and milliseconds. */
const maxLookedAt = 20_000
const maxReadMs = 2000

const bindingOf = ({ workspaceId }: WorkspaceScope): string => `events of ${workspaceId}`

/** Returns the public events of the first recorded ones, until there are enough; those of one recorded event stay together. */
function firstOf(
  { events, upTo }: Awaited<ReturnType<typeof readTypes>>,
  count: number,
  isWanted: (event: PublicEvent) => boolean,
): { told: PublicEvent[]; upTo: number } {
  const told: PublicEvent[] = []
  for (const [index, event] of events.entries()) {
    told.push(...publicEventsOf(event).filter(isWanted))
    if (told.length >= count && index < events.length - 1) return { told, upTo: event.seq }
  }
  return { told, upTo }
}

/** Every public event of a workspace in the order of the log, whether a webhook exists or not. */
export function createPublicFeed({
  mongo,
  cursors,
  renderEvents,
}: {
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly renderEvents: RenderEvents
}) {
  const cursorOf = (scope: WorkspaceScope, seq: number): string =>
    cursors.write({ direction: 'next', position: { key: seq, id: '' } }, bindingOf(scope))

  /** @throws `validation_failed` for a cursor that is not of this feed; `cursor_expired` with where the log begins now. */
  async function startOf(scope: WorkspaceScope, after: string | undefined): Promise<number> {
    const { workspaceId } = scope
    await noteReader(mongo, workspaceId)
    const head = (await readHeads(mongo, [workspaceId])).get(workspaceId) ?? 0
    if (after === 'latest') return head
    const oldest = (await oldestNumber(mongo, workspaceId)) ?? head + 1
    if (after === undefined) return oldest - 1
    const seq = numberOf(scope, after)
    if (seq < oldest - 1) {
      const current = { oldest: cursorOf(scope, oldest - 1) }
      const message =
        'Events up to here are no longer kept. Go on from the oldest, and read what was missed by its own calls.'
      throw new AppError('cursor_expired', message, { current })
    }
    return Math.min(seq, head)
  }

  function numberOf(scope: WorkspaceScope, after: string): number {
    const refused = () => errors.validation({ after: 'This is no cursor of this feed. Use the nextCursor of a page.' })
    try {
      const key = cursors.read(after, bindingOf(scope)).position?.key
      if (typeof key === 'number') return key
    } catch {
      throw refused()
    }
    throw refused()
  }

  /**
   * A page after a number. Events of other types are passed over, and the cursor moves on with them. A call looks through a part of the
   * log only: its page may be empty while there is more.
   */
  async function pageAfter(
    scope: WorkspaceScope,
    from: number,
    { types, limit = usualLimit }: Query,
  ): Promise<FeedPage> {
    const { workspaceId } = scope
    const items: Envelope[] = []
    const until = performance.now() + maxReadMs
    let upTo = from
    let head = from
    do {
      const left = limit - items.length
      const found = await readTypes(mongo, {
        workspaceId,
        after: upTo,
        limit: types ? Math.max(left, minFiltered) : left,
        types: types ? sourcesOf(types) : publicEventSources,
      })
      head = found.head
      const page = firstOf(found, left, ({ type }) => !types || types.includes(type))
      upTo = page.upTo
      for (const envelope of await renderEvents(scope, page.told)) if (envelope) items.push(envelope)
    } while (items.length < limit && upTo < head && upTo - from < maxLookedAt && performance.now() < until)
    return { items, nextCursor: cursorOf(scope, upTo), hasMore: upTo < head, upTo }
  }

  return { startOf, pageAfter }
}
