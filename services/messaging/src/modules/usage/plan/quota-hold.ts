import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'

/** Milliseconds after the end for which recipients are held who may or may not have got a message. */
export const uncertainMs = 7 * 86_400_000

/** Credits that a sender takes of the period in which it was launched. */
export interface QuotaHold {
  readonly held: number
  readonly used: number
}

/** The period and the number of templates that were held at the launch, and the messages that had been sent before. */
export interface Hold {
  readonly period: string
  readonly n: number
  readonly before: number
}

/** A campaign, as it is counted against the plan. */
export interface QuotaHolder {
  readonly id: string
  readonly hold?: Hold | undefined
  /** Undefined until all of its recipients are counted. */
  readonly share: QuotaHold | undefined
}

/** A campaign, as far as its part of a period depends on it. */
interface LaunchedSender {
  readonly id: string
  readonly status: string
  readonly startedAt?: Date | undefined
  readonly completedAt?: Date | undefined
  readonly stoppedAt?: Date | undefined
}

export type ReadSenders = (scope: WorkspaceScope, ids: readonly string[]) => Promise<readonly LaunchedSender[]>
