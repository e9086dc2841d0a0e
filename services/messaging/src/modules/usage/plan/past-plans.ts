import type { Plan } from '@parley/contracts/usage/plans'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createdAt, midnightOf } from './allowance.ts'
import type { PastPlan, WorkspacePlanRecord } from './quota.model.ts'

/**
 * Returns what is added to a workspace's past when its plan changes: the plan until then, and the smaller one that followed it
 * meanwhile. A workspace that never chose one had the trial.
 */
export function plansUntil(
  scope: WorkspaceScope,
  record: WorkspacePlanRecord | null,
  { zone, at }: { zone: string; at: Date },
): PastPlan[] {
  if (!record) return [{ plan: 'free_trial', at: createdAt(scope) }]
  return sinceWhen(record, zone).filter((past) => past.at <= at)
}

/** Returns the plan that counted just before a moment; undefined where an older version has not kept it. */
export function planBefore(
  scope: WorkspaceScope,
  record: WorkspacePlanRecord | null,
  { zone, moment }: { zone: string; moment: Date },
): Plan['id'] | undefined {
  if (!record) return 'free_trial'
  const all = [...(record.history ?? []), ...sinceWhen(record, zone)]
  const isTrial = record.plan === 'free_trial' && !record.history && createdAt(scope) < moment
  return all.findLast(({ at }) => at < moment)?.plan ?? (isTrial ? 'free_trial' : undefined)
}

/** The plan of a record, and the one that follows it, each with its first moment. */
const sinceWhen = ({ plan, at, next }: WorkspacePlanRecord, zone: string): PastPlan[] => [
  ...(at ? [{ plan, at }] : []),
  ...(next ? [{ plan: next.plan, at: midnightOf(next.from, zone) }] : []),
]
