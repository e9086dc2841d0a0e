import { dateAfter } from '@parley/contracts/core/zoned-time'
import type { Logger } from '@parley/service-kit/core/logger'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { MessagingMetrics } from '../../platform/metrics.ts'
import { nextLook } from './count-figures.ts'
import { placeOf } from './levels.ts'
import type { createRecountFigures } from './recount-figures.ts'
import { createTakeSnapshot } from './snapshots.ts'
import type { createWeeklyReport } from './weekly-report.ts'
import type { WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

type SharedDependencies = Parameters<typeof createTakeSnapshot>[0]
interface Dependencies extends SharedDependencies {
  readonly figures: Pick<WorkspaceFiguresRepository, 'due' | 'looked' | 'storeSnapshot'>
  readonly metrics: Pick<MessagingMetrics, 'countDifference'>
  readonly recountFigures: ReturnType<typeof createRecountFigures>
  readonly tellWeek: ReturnType<typeof createWeeklyReport>
  readonly logger: Logger
}

/** Looks at each workspace after midnight in UTC: what the day begins with, and whether rows bear out the day before. */
export function createFigureDays(deps: Dependencies) {
  const { figures, metrics, recountFigures, tellWeek, logger } = deps
  const takeSnapshot = createTakeSnapshot(deps)

  async function perform({ workspaceId }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const now = new Date()
    const today = placeOf(now).day
    await takeSnapshot(scope, now)
    await tellWeek(scope, now)
    // A recount that fails is tried again by its job; the report, and the days to come, do not wait for it.
    await figures.looked(scope, nextLook(now))
    for (const difference of await recountFigures(scope, { day: dateAfter(today, -1) })) {
      metrics.countDifference('analytics')
      logger.warn({ workspaceId, ...difference }, 'rows do not bear out a counter')
    }
  }

  return { perform, due: () => figures.due(new Date()) }
}
