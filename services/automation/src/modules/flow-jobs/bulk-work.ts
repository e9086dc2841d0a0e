import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import { createRetryRuns } from '../runs/retry-runs.ts'
import { filterOf } from '../runs/run-filter.ts'
import type { RunRecord, RunsRepository } from '../runs/runs.service.ts'
import { beginning, bulkInputSchema, type Checkpoint, checkpointSchema } from './flow-job-inputs.ts'
import type { FlowStep } from './flow-step.ts'

/** Runs of one step, which is one transaction. */
const batchSize = 100

interface Dependencies extends Pick<Platform, 'askMessaging'> {
  readonly runs: RunsRepository
  readonly worlds: Worlds
  readonly attention: Pick<AttentionService, 'raise' | 'settle'>
  readonly now: () => Promise<number>
}

/** Result of a step: the runs that have changed, and how many were left out, by their reason. */
interface Changed {
  readonly runs: readonly RunRecord[]
  readonly skipped: readonly (keyof Checkpoint['skipped'])[]
}

/** Creates the work on a change of many runs: oldest first, those that began before the job. */
export function createBulkWork({ runs, worlds, attention, now, askMessaging }: Dependencies): FlowStep {
  const retries = createRetryRuns({ runs, attention, worlds, now, askMessaging })

  async function page(job: JobRecord, after: string): Promise<RunRecord[]> {
    const { flowId, filter, upTo } = bulkInputSchema.parse(job.input)
    const [time = '', id] = after.split(' ')
    const behind = id === undefined ? [] : [{ createdAt: { $gte: new Date(time) } }, behindOf(new Date(time), id)]
    return runs
      .collection(job)
      .find({ $and: [filterOf(flowId, filter), { createdAt: { $lte: upTo } }, ...behind] })
      .sort({ createdAt: 1, _id: 1 })
      .limit(batchSize)
      .hint('newest')
  }

  return async (job, note) => {
    const scope = { workspaceId: job.workspaceId }
    const { flowId, filter, action, upTo } = bulkInputSchema.parse(job.input)
    const checkpoint = checkpointSchema.parse(job.checkpoint ?? beginning)
    if (job.checkpoint === null) {
      const all = { $and: [filterOf(flowId, filter), { createdAt: { $lte: upTo } }] }
      return { checkpoint, total: await runs.collection(scope).countDocuments(all, { hint: 'newest' }) }
    }
    const found = await page(job, checkpoint.after)
    const facts = action.kind === 'retry' ? await retries.readFacts(scope, flowId, found) : undefined
    if (action.kind === 'retry' && !facts)
      return { checkpoint, result: { problem: 'The workflow was paused or deleted.' } }
    const last = found.at(-1)
    const isLast = found.length < batchSize
    let reached = checkpoint
    return {
      // The step's result is known once its transaction has written it.
      get checkpoint() {
        return { ...reached, after: last ? `${last.createdAt.toISOString()} ${last.id}` : checkpoint.after }
      },
      done: found.length,
      ...(isLast && { result: {} }),
      write: async (tx) => {
        const { runs: changed, skipped } = await change(tx)
        const counted = { ...checkpoint.skipped }
        for (const reason of skipped) counted[reason] = (counted[reason] ?? 0) + 1
        reached = { ...checkpoint, changed: checkpoint.changed + changed.length, skipped: counted }
        note(changed)
      },
    }

    async function change(tx: Tx): Promise<Changed> {
      if (action.kind === 'retry' && facts) {
        const { effects, refused } = await retries.retry(scope, idsOf(found), { how: action, facts, tx })
        await attention.raise(scope, effects.attention, tx)
        return { runs: effects.started, skipped: [...refused.values()] }
      }
      const live = await runs.readMany(scope, idsOf(found), tx)
      const wanted = live.filter((run) => (action.kind === 'release' ? run.status === 'held' : run.live))
      const skipped = Array.from({ length: found.length - wanted.length }, () => 'wrong_state' as const)
      if (action.kind === 'release') {
        const time = new Date(await now())
        const released: RunRecord[] = []
        for (const { id } of wanted) {
          const run = await runs.release(scope, id, time, tx)
          if (run) released.push(run)
        }
        return { runs: released, skipped }
      }
      await runs.endMany(scope, idsOf(wanted), endedReason, tx)
      return { runs: wanted.map((run) => ({ ...run, ending: endedReason })), skipped }
    }
  }
}

const endedReason = 'A colleague has ended it.'
const idsOf = (runs: readonly RunRecord[]): string[] => runs.map(({ id }) => id)
const behindOf = (time: Date, id: string) => ({
  $or: [{ createdAt: { $gt: time } }, { createdAt: time, _id: { $gt: id } }],
})
