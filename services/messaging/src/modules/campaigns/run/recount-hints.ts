import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'

/** Delay of a hint in milliseconds, by which the change that it announces is stored. */
const hintPauseMs = 300

/** @param queue has blocks counted by a worker. */
export function createRecountHints(queue: (jobs: readonly JobRecord[]) => Promise<void>) {
  const hinted = new Map<string, JobRecord>()

  /** Announces that rows of a block have changed, or will at any moment. A hint may be lost. */
  return function hint({ workspaceId }: WorkspaceScope, campaignId: string, block: number): void {
    const id = `${campaignId}-${block}`
    const isWaiting = hinted.size > 0
    hinted.set(id, { id, workspaceId })
    if (isWaiting) return
    setTimeout(() => {
      const jobs = [...hinted.values()]
      hinted.clear()
      void queue(jobs)
    }, hintPauseMs).unref()
  }
}
