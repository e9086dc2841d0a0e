import type { Endpoint, EndpointRequest, EndpointResponse } from '@parley/contracts/core/endpoint'
import type { TransientEvent } from '@parley/contracts/platform/event-stream'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { inTransaction, type Tx } from '@parley/service-kit/data/transaction'
import type { Queues } from '@parley/service-kit/queue/queues'
import { createClosings } from './closings.ts'
import { createAutomationMetrics } from './metrics.ts'

/** Calls an internal endpoint of another service about a workspace. @throws that service's error, or `service_unavailable`. */
export type AskService = <E extends Endpoint>(
  scope: WorkspaceScope,
  endpoint: E,
  request: EndpointRequest<E>,
) => Promise<EndpointResponse<E>>

export type Session = Pick<Tx, 'session'>

export interface PlatformDependencies {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly queues: Pick<Queues, 'lanes' | 'jobs'>
  readonly askMessaging: AskService
  readonly askProfile: AskService
  /** Seals secrets of connections. */
  readonly box: SecretBox
  /** True in cells that are found by the workspace in a token. */
  readonly namesWorkspace: boolean
  /** HTTP to systems that connections name. */
  readonly outbound: OutboundHttp
  /** Sends a hint to open pages, which is not recorded. */
  readonly publish: (workspaceId: string, event: TransientEvent, data: unknown) => Promise<void>
}

/** Queue of the jobs that people start: each job's record counts its attempts, so the queue never gives one up. */
export const jobsQueue = { keepsWakes: true } as const

/** Queue of dry runs: they are long, and hold up no start by hand. */
export const dryRunsQueue = { name: 'dry-runs', keepsWakes: true } as const

export type Platform = ReturnType<typeof createPlatform>

/** Gives every module its tools: the database and its transactions, queues, cursors, and calls of other services. */
export const createPlatform = (dependencies: PlatformDependencies) => ({
  ...dependencies,
  figures: createAutomationMetrics(dependencies.metrics),
  closings: createClosings(dependencies),
  /** Runs work in a transaction, up to five times: it calls nothing outside the database. */
  transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTransaction(dependencies.mongo, work),
})
