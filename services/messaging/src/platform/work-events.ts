import type { EventType, NewEvent, RecordedEvent } from '@parley/contracts/platform/events'
import { consume, dueWorkspaces, type UnreadOf, unreadSince } from '@parley/service-kit/data/consume'
import type { Database } from '@parley/service-kit/data/open-database'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createSequencer, type EventReader } from '@parley/service-kit/data/sequencer'
import type { Tx } from '@parley/service-kit/data/transaction'
import { drainWorkspaces } from '@parley/service-kit/queue/drain-workspaces'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Queues } from '@parley/service-kit/queue/queues'
import type { PendingSince } from '@parley/service-kit/queue/run-worker'
import { batchWakeUps } from './batch-wake-ups.ts'

/** Reads events of the log; a `*.jobs.ts` exports it beside its feature. */
export interface EventConsumer {
  /** Stable name under which its cursor and its lanes are stored. */
  readonly consumer: string
  readonly types: readonly EventType[]
  /** Events of one transaction. */
  readonly limit: number
  /** Pause between two of its turns while events keep coming, in milliseconds: 100 unless told. The first event does not wait. */
  readonly pauseMs?: number
  /** Tells that no event that is there concerns it. */
  readonly skip?: (scope: WorkspaceScope, tx: Pick<Tx, 'session'>) => Promise<boolean>
  readonly handle: (scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx) => Promise<void>
  /** Runs after the commit, which may be lost: what it wakes is also found by a sweep. */
  readonly after?: (scope: WorkspaceScope) => Promise<void>
}

/** While a campaign leaves there are new events all the time, which are then read together. */
const consumerPauseMs = 100
/** A customer waits for the answer of a bot. */
const feedPauseMs = 10

/**
 * Numbers and publishes the events of all workspaces, and has those that read them woken.
 * @returns what tells since when events wait for a number, for each consumer, and for automation.
 */
export function workEvents(
  queues: Queues,
  database: Pick<Database, 'connection' | 'isOpen'>,
  {
    consumers,
    feed,
    closed,
    publish,
  }: {
    readonly consumers: readonly EventConsumer[]
    /** Automation reads it in its own workers. */
    readonly feed: EventReader & UnreadOf
    /** Workspaces that automation is not given. */
    readonly closed: () => Promise<ReadonlySet<string>>
    readonly publish: (workspaceId: string, events: readonly RecordedEvent[]) => Promise<void>
  },
): () => Promise<PendingSince> {
  const wakes = new Map(consumers.map((consumer) => [consumer.consumer, workConsumer(queues, database, consumer)]))
  wakes.set(feed.consumer, batchWakeUps(queues.lanes('events', 'automation'), feedPauseMs))
  const sequencer = createSequencer({
    connection: database.connection,
    consumers: [...consumers, feed],
    publish,
    wake: (workspaceId, concerned) => {
      for (const consumer of concerned) wakes.get(consumer)?.([laneOf(workspaceId)])
    },
  })
  queues.workLanes('events', {
    drain: async (lane) =>
      drainWorkspaces(lane, await sequencer.waiting(), async (workspaceId) => {
        await sequencer.sequence(workspaceId)
        return false
      }),
    pendingLanes: async () => (database.isOpen() ? (await sequencer.waiting()).map(laneOf) : []),
  })
  return async () => {
    const [fresh, unread, ofFeed] = await Promise.all([
      sequencer.oldestWaitingAt(),
      unreadSince(database.connection, consumers),
      closed().then((without) => unreadSince(database.connection, [feed], without)),
    ])
    return { events: fresh, ...unread, ...ofFeed }
  }
}

/** Reads the log of events for a consumer, workspace by workspace. @returns what wakes it. */
function workConsumer(
  queues: Queues,
  { connection, isOpen }: Pick<Database, 'connection' | 'isOpen'>,
  { consumer, types, limit, pauseMs = consumerPauseMs, skip, handle, after }: EventConsumer,
): (lanes: Iterable<number>) => void {
  const due = () => dueWorkspaces({ connection, consumer })
  /** Reads events; those that a consumer emits in turn are numbered at once, not with the next sweep. */
  async function read(workspaceId: string): Promise<boolean> {
    let isNotified = false
    const hasMore = await consume({
      connection,
      consumer,
      workspaceId,
      types,
      limit,
      skip: skip && ((tx) => skip({ workspaceId }, tx)),
      handle: (events, tx) => {
        const notify = (event: NewEvent) => {
          isNotified = true
          tx.emit(event)
        }
        return handle({ workspaceId }, events, { ...tx, emit: notify })
      },
    })
    await after?.({ workspaceId })
    if (isNotified) await queues.lanes('events').wake([laneOf(workspaceId)])
    return hasMore
  }

  queues.workLanes(consumer, {
    drain: async (lane) => drainWorkspaces(lane, await due(), read),
    pendingLanes: async () => (isOpen() ? (await due()).map(laneOf) : []),
  })
  return batchWakeUps(queues.lanes(consumer), pauseMs)
}
