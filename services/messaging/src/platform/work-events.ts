import type { EventType, NewEvent, RecordedEvent } from '@parley/contracts/platform/events'
import {
  type DueWorkspace,
  dueWorkspaces,
  readUpTo,
  type UnreadOf,
  unmark,
  unreadSince,
} from '@parley/service-kit/data/consume'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
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
  /** Stable name under which its cursor is stored. */
  readonly consumer: string
  readonly types: readonly EventType[]
  /** Events of one transaction. */
  readonly limit: number
  /** Tells that no event that is there concerns it. */
  readonly skip?: (scope: WorkspaceScope, tx: Pick<Tx, 'session'>) => Promise<boolean>
  readonly handle: (scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx) => Promise<void>
  /** Runs after the commit, which may be lost: what it wakes is also found by a sweep. */
  readonly after?: (scope: WorkspaceScope) => Promise<void>
}

/** Milliseconds between two turns while events keep coming, which are then read together. The first event does not wait. */
const consumerPauseMs = 500
/** A customer waits for the answer of a bot. */
const feedPauseMs = 10

/**
 * Numbers and publishes the events of all workspaces, and has those that read them woken.
 * @returns what tells since when events wait for a number, for each consumer, and for automation.
 */
export function workEvents(
  queues: Queues,
  connection: ServiceConnection,
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
  const wakeConsumers = workConsumers(queues, connection, consumers)
  const wakeFeed = batchWakeUps(queues.lanes('events', 'automation'), feedPauseMs)
  const sequencer = createSequencer({
    connection,
    consumers: [...consumers, feed],
    laneOf,
    publish,
    wake: (workspaceId, concerned) => {
      const lanes = [laneOf(workspaceId)]
      if (concerned.includes(feed.consumer)) wakeFeed(lanes)
      if (concerned.some((consumer) => consumer !== feed.consumer)) wakeConsumers(lanes)
    },
  })
  queues.workLanes('events', {
    drain: async (lane) =>
      drainWorkspaces(lane, await sequencer.waiting(), async (workspaceId) => {
        await sequencer.sequence(workspaceId)
        return false
      }),
    pendingLanes: async () => (await sequencer.waiting()).map(laneOf),
  })
  return async () => {
    const [fresh, unread, ofFeed] = await Promise.all([
      sequencer.oldestWaitingAt(),
      unreadSince(connection, consumers),
      closed().then((without) => unreadSince(connection, [feed], without)),
    ])
    return { events: fresh, ...unread, ...ofFeed }
  }
}

/** Reads the log of events for all consumers, workspace by workspace. @returns what wakes them. */
function workConsumers(
  queues: Queues,
  connection: ServiceConnection,
  consumers: readonly EventConsumer[],
): (lanes: Iterable<number>) => void {
  const names = consumers.map(({ consumer }) => consumer)

  /** Reads events for those that are due, side by side: one that fails keeps no other from its turn. */
  async function readAll(workspace: DueWorkspace | undefined): Promise<boolean> {
    if (!workspace) return false
    const { workspaceId, seq } = workspace
    const asked = consumers.filter(({ consumer }) => workspace.consumers.includes(consumer))
    const results = await Promise.allSettled(asked.map((consumer) => read(consumer, { workspaceId, seq })))
    const ended = asked.filter((_, index) => {
      const result = results[index]
      return result?.status === 'fulfilled' && !result.value
    })
    await unmark(
      connection,
      { workspaceId, seq },
      ended.map(({ consumer }) => consumer),
    )
    const failed = asked.flatMap(({ consumer }, index) => {
      const result = results[index]
      return result?.status === 'rejected' ? [{ consumer, cause: result.reason }] : []
    })
    if (failed.length > 0) {
      const names = failed.map(({ consumer }) => consumer).join(', ')
      throw new Error(`${names} cannot read events up to ${seq}`, { cause: failed[0]?.cause })
    }
    return ended.length < asked.length
  }

  /** Reads events; those that a consumer emits in turn are numbered at once, not with the next sweep. */
  async function read(
    { consumer, types, limit, skip, handle, after }: EventConsumer,
    { workspaceId, seq }: Pick<DueWorkspace, 'workspaceId' | 'seq'>,
  ): Promise<boolean> {
    let isNotified = false
    const hasMore = await readUpTo(seq, {
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

  queues.workLanes('consumers', {
    drain: async (lane) => {
      const due = await dueWorkspaces(connection, names, lane)
      const waiting = new Map(due.map((workspace) => [workspace.workspaceId, workspace]))
      return drainWorkspaces(lane, [...waiting.keys()], async (id) => readAll(waiting.get(id)))
    },
    pendingLanes: async () => (await dueWorkspaces(connection, names)).map(({ workspaceId }) => laneOf(workspaceId)),
  })
  return batchWakeUps(queues.lanes('consumers'), consumerPauseMs)
}
