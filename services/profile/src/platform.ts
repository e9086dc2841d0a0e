import type { NewEvent } from '@parley/contracts/platform/events'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { inTransaction, type RunInTransaction } from '@parley/service-kit/data/transaction'
import { type Lanes, laneOf } from '@parley/service-kit/queue/lanes'

/** Queues that the worker drains after a commit: events get their numbers, messages go to other services. */
export interface Wakes {
  readonly events: Pick<Lanes, 'wake'>
  readonly outbox: Pick<Lanes, 'wake'>
}

/** Runs the kit's transaction; after the commit it wakes the worker for the workspaces with new events or messages. */
export function createTransaction(mongo: ServiceConnection, { events, outbox }: Wakes): RunInTransaction {
  return async (work) => {
    const emitted = new Set<string>()
    const sent = new Set<string>()
    const result = await inTransaction(mongo, (tx) =>
      work({
        ...tx,
        emit: (event: NewEvent) => {
          tx.emit(event)
          emitted.add(event.workspaceId)
        },
        send: (message) => {
          tx.send(message)
          sent.add(message.workspaceId)
        },
      }),
    )
    if (emitted.size > 0) void events.wake([...emitted].map(laneOf))
    if (sent.size > 0) void outbox.wake([...sent].map(laneOf))
    return result
  }
}
