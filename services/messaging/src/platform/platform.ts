import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import { createJobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { inTransaction, type Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Queues } from '@parley/service-kit/queue/queues'
import { createGraphClients } from '../whatsapp/graph-clients.ts'
import { measureGraph } from '../whatsapp/measure-graph.ts'
import type { OpenRecords } from './ask-profile.ts'
import { createAutomationStates } from './automation-states.model.ts'
import { batchWakeUps } from './batch-wake-ups.ts'
import { createClosings } from './closings.model.ts'
import { createHoldLimit } from './limits/hold-limit.ts'
import { type AskMembers, type AskPeople, createMemberFacts, notAsked } from './member-facts.ts'
import { createMessagingMetrics } from './metrics.ts'

export interface PlatformDependencies {
  readonly logger: Logger
  readonly mongo: ServiceConnection
  readonly box: SecretBox
  readonly cursors: PageCursors
  readonly metrics: Metrics
  readonly queues: Pick<Queues, 'lanes' | 'jobs'>
  readonly askMembers?: AskMembers | undefined
  readonly askPeople?: AskPeople | undefined
  readonly openRecords?: OpenRecords | undefined
}

export type Platform = ReturnType<typeof createPlatform>

/** Queue of the jobs that people start: each job's record counts its attempts, so the queue never gives one up. */
export const jobsQueue = { name: 'jobs', keepsWakes: true } as const

/** Milliseconds that wake-ups are collected: a colleague who watches does not notice them. */
const eventPauseMs = 10

/** Creates what every module uses: transactions, queues, records of jobs, figures and clients of WhatsApp's API. */
export function createPlatform({
  logger,
  metrics,
  mongo,
  box,
  cursors,
  queues,
  askMembers,
  askPeople = notAsked,
  openRecords = notAsked,
}: PlatformDependencies) {
  const wakeSequencer = batchWakeUps(queues.lanes('events'), eventPauseMs)
  const wakeLanes = batchWakeUps(queues.lanes('send'), eventPauseMs)

  /** Runs the kit's transaction; after the commit it wakes the sequencer for the workspaces with new events. */
  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const workspaceIds = new Set<string>()
    const result = await inTransaction(mongo, (tx) =>
      work({
        ...tx,
        emit: (event) => {
          tx.emit(event)
          workspaceIds.add(event.workspaceId)
        },
      }),
    )
    wakeSequencer([...workspaceIds].map(laneOf))
    return result
  }

  return {
    logger,
    mongo,
    box,
    cursors,
    queues,
    transaction,
    figures: createMessagingMetrics(metrics),
    graphs: createGraphClients(measureGraph(metrics)),
    members: createMemberFacts(askMembers),
    askPeople,
    openRecords,
    jobs: createJobRecords(mongo),
    holdLimit: createHoldLimit(mongo),
    automationStates: createAutomationStates(mongo),
    closings: createClosings(mongo),
    queueJobs: queues.jobs(jobsQueue.name, jobsQueue).add,
    wakeEvents: (workspaceId: string) => wakeSequencer([laneOf(workspaceId)]),
    wakeSender: (lane: number) => wakeLanes([lane]),
  }
}
