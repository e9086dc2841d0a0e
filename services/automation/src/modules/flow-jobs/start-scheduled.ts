import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { DueSchedule, SchedulesRepository } from '../flows/schedules.ts'
import { kindOf, lastIdAt, type StartInput } from './flow-job-inputs.ts'

interface Dependencies extends Pick<Platform, 'transaction' | 'logger'> {
  readonly schedules: Pick<SchedulesRepository, 'due' | 'take' | 'isMissed'>
  readonly jobs: Pick<JobRecords, 'create'>
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  readonly attention: Pick<AttentionService, 'raise'>
  readonly now: () => Promise<number>
  /** Tells pages of a workflow that a job has begun, or that there is something to look at. */
  readonly tellPages: (scope: WorkspaceScope, flowId: string) => void
}

/**
 * Begins the starts of workflows whose time has come, each once, whichever workers look for them. One whose time is an hour ago is
 * named as missed instead.
 */
export function createStartScheduled({ schedules, jobs, queue, attention, now, tellPages, ...tools }: Dependencies) {
  async function start(due: DueSchedule, time: Date): Promise<void> {
    const { workspaceId, flowId, nodeId, slot = '', nextAt = time, segmentId, timing } = due
    const scope = { workspaceId }
    const job = await tools.transaction(async (tx) => {
      if (!(await schedules.take(due, time, tx))) return undefined
      if (schedules.isMissed(nextAt, time)) {
        const sentence = `The start of ${slot.replace('T', ' ')} (${timing.timeZone}) was missed: the service was not running. Start the workflow by hand if it is still wanted.`
        await attention.raise(scope, [{ code: 'missed_start', sentence, flowId, nodeId }], tx)
        return 'missed'
      }
      const input: StartInput = {
        flowId,
        of: { segmentId, upTo: lastIdAt(nextAt.getTime()) },
        schedule: { nodeId, slot },
      }
      return jobs.create(scope, { kind: kindOf('start'), total: 0, input, startedBy: null }, { session: tx.session })
    })
    if (!job) return
    tellPages(scope, flowId)
    if (job !== 'missed') await queue([{ id: job.id, workspaceId }])
  }

  return async (): Promise<void> => {
    const time = new Date(await now())
    for (const due of await schedules.due(time))
      await start(due, time).catch((err: unknown) =>
        tools.logger.warn({ err, flowId: due.flowId }, 'a scheduled start failed; it is tried again'),
      )
  }
}
