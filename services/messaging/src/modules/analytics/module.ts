import type { Base } from '../../records.ts'
import type { Campaigns } from '../campaigns/module.ts'
import { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Outbound } from '../outbound/module.ts'
import { createAnalyticsService } from './analytics.service.ts'
import { createAnswersRepository } from './answers.repository.ts'
import { createClosuresRepository } from './closures.repository.ts'
import { createCountFigures } from './count-figures.ts'
import { createDashboard } from './dashboard.service.ts'
import { createFigureDays } from './figure-days.ts'
import { createFigureRows } from './figure-rows.service.ts'
import { createRecountFigures } from './recount-figures.ts'
import { createRollupsRepository } from './rollups.repository.ts'
import { createRowsExportWork, createStartRowsExport } from './rows-export-work.ts'
import { createTakeOversRepository } from './take-overs.repository.ts'
import { createTeamReport } from './team-report.service.ts'
import { createWatchTargets } from './watch-targets.ts'
import { createWeeklyReport } from './weekly-report.ts'
import { createWorkspaceFigures } from './workspace-figures.repository.ts'

/** Figures of a workspace: counted from events, each exactly once, and read by people. */
export function createAnalytics(lower: Base & Inbox & Outbound & Campaigns) {
  const { mongo, cursors } = lower
  const parts = {
    ...lower,
    metrics: lower.figures,
    rollups: createRollupsRepository(mongo),
    answers: createAnswersRepository(mongo, cursors),
    takeOvers: createTakeOversRepository(mongo, cursors),
    closures: createClosuresRepository(mongo, cursors),
    figures: createWorkspaceFigures(mongo),
    messages: createCountedMessages(mongo, cursors),
  }
  const recountFigures = createRecountFigures(parts)
  const tellWeek = createWeeklyReport(parts)
  const readFigureRows = createFigureRows(parts)
  return {
    readFigureRows,
    recountFigures,
    tellWeek,
    countFigures: createCountFigures(parts),
    figureDays: createFigureDays({ ...parts, recountFigures, tellWeek }),
    readAnalytics: createAnalyticsService(parts),
    readDashboard: createDashboard(parts),
    readTeamReport: createTeamReport(parts),
    responseTargets: createWatchTargets(parts),
    startRowsExport: createStartRowsExport({ ...parts, readFigureRows }),
    analyticsKinds: createRowsExportWork({ ...parts, readFigureRows }),
  }
}
