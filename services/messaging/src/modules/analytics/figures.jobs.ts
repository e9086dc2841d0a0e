import type { TransientEvent } from '@parley/contracts/platform/event-stream'
import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import { LRUCache } from 'lru-cache'
import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'
import { figureEvents, figuresConsumer } from './count-figures.ts'

export default ({
  services: { countFigures, figureDays, responseTargets },
  publishUnlogged,
}: JobOptions): (JobQueue | EventConsumer)[] => {
  const hint = createHint(publishUnlogged)
  return [
    {
      consumer: figuresConsumer,
      types: figureEvents,
      limit: 1000,
      // Pages hear of figures at most every five seconds, and a transaction costs nearly the same for one event as for hundreds.
      handle: async (scope, events, tx) => {
        if (await countFigures(scope, events, tx)) hint(scope.workspaceId)
      },
    },
    { name: 'figure-days', ...figureDays, concurrency: 1 },
    { name: 'response-targets', ...responseTargets },
  ]
}

/** Once the transaction is committed. */
const firstMs = 500
const betweenMs = 5000

/** Tells the members of a workspace that figures have changed: once in five seconds at most, and always after the last change. */
function createHint(
  publish: (workspaceId: string, event: TransientEvent, data: unknown) => Promise<void>,
): (workspaceId: string) => void {
  const toldAt = new LRUCache<string, number>({ max: 10_000 })
  const waiting = new Set<string>()
  return (workspaceId) => {
    if (waiting.has(workspaceId)) return
    waiting.add(workspaceId)
    const told = toldAt.get(workspaceId) ?? 0
    const pauseMs = Math.max(firstMs, told + betweenMs - Date.now())
    setTimeout(() => {
      waiting.delete(workspaceId)
      toldAt.set(workspaceId, Date.now())
      void publish(workspaceId, 'figures.changed', {})
    }, pauseMs).unref()
  }
}
