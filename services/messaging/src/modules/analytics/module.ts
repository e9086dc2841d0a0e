import { dateAfter } from '@parley/contracts/core/zoned-time'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { AddNotifications } from '../../platform/notification.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Caller } from '../contacts/contact-store.ts'
import { createBeginJob } from '../contacts/jobs/begin-job.ts'
import { rowsExportKind } from '../contacts/jobs/rows-export-input.ts'
import type { Contacts } from '../contacts/module.ts'
import { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Outbound } from '../outbound/module.ts'
import { createAnalyticsService } from './analytics.service.ts'
import { createAnswersRepository } from './answers.repository.ts'
import { createCountFigures, figuresConsumer, nextLook } from './count-figures.ts'
import { createDashboard } from './dashboard.service.ts'
import { createFigureRows } from './figure-rows.service.ts'
import { createLatestActivity } from './latest-activity.ts'
import { placeOf } from './levels.ts'
import { createRecountFigures } from './recount-figures.ts'
import { createRollupsRepository } from './rollups.repository.ts'
import { createRowsExportWork } from './rows-export-work.ts'
import { type CountedOf, createTakeSnapshot } from './snapshots.ts'
import { createTakeOversRepository } from './take-overs.repository.ts'
import { createTeamReport } from './team-report.service.ts'
import { createWatchTargets } from './watch-targets.ts'
import { createWeeklyReport } from './weekly-report.ts'
import { createWorkspaceFigures } from './workspace-figures.repository.ts'

type Lower = Inbox & Contacts & Outbound & Campaigns & { readonly addNotifications: AddNotifications }

/** Figures of a workspace: counted from events, each exactly once, and read by people. */
export function createAnalytics(platform: Platform, lower: Lower) {
  const { mongo, logger } = platform
  const { conversations, conversationRecords, contactRecords, sendingHours, campaignsForFigures } = lower
  const rollups = createRollupsRepository(mongo)
  const answers = createAnswersRepository(mongo, platform.cursors)
  const takeOvers = createTakeOversRepository(mongo, platform.cursors)
  const figures = createWorkspaceFigures(mongo)
  const messages = createCountedMessages(mongo, platform.cursors)
  const { addNotifications } = lower
  const parts = {
    ...platform,
    addNotifications,
    rollups,
    answers,
    takeOvers,
    figures,
    messages,
    zoneOf: sendingHours.zoneOf,
  }
  const countActiveCampaigns = (scope: WorkspaceScope, of?: CountedOf) => campaignsForFigures.countActive(scope, of)
  const recountFigures = createRecountFigures({ ...parts, consumer: figuresConsumer })
  const tellWeek = createWeeklyReport(parts)
  const takeSnapshot = createTakeSnapshot({
    figures,
    countActiveCampaigns,
    countActiveContacts: contactRecords.countActiveSince,
  })

  /** Looks at a workspace after midnight in UTC: what the day begins with, and whether rows bear out the day before. */
  async function lookAtDay({ workspaceId }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const now = new Date()
    const today = placeOf(now).day
    await takeSnapshot(scope, now)
    for (const difference of await recountFigures(scope, { day: dateAfter(today, -1) })) {
      platform.figures.countDifference('analytics')
      logger.warn({ workspaceId, ...difference }, 'rows do not bear out a counter')
    }
    await tellWeek(scope, now)
    await figures.looked(scope, nextLook(now))
  }

  const contactNames = async (scope: WorkspaceScope, ids: readonly string[]) =>
    new Map([...(await conversations.showMany(scope, ids))].map(([id, { contact }]) => [id, contact.name]))
  const readFigureRows = createFigureRows({ ...parts, contactNames, ratings: lower.ratingRecords })
  const begin = createBeginJob({ ...platform, queue: platform.queueJobs })

  return {
    readFigureRows,
    startRowsExport: async (ctx: Caller, input: Parameters<typeof readFigureRows>[1]) => {
      // Refuses what could not be read.
      await readFigureRows(ctx, { ...input, limit: 1 })
      return begin(ctx, { kind: rowsExportKind, total: 0, input })
    },
    analyticsKinds: {
      [rowsExportKind]: createRowsExportWork({
        ...platform,
        files: createMediaFiles(mongo, 'exportFiles'),
        readRows: readFigureRows,
      }),
    },
    responseTargets: createWatchTargets({
      ...parts,
      conversations: conversationRecords,
      announce: conversations.announce,
    }),
    countFigures: createCountFigures({
      ...parts,
      newId,
      readHours: lower.openingHours.read,
      readTarget: lower.responseTarget.read,
      readConversations: conversationRecords.readMany,
      mergedInto: async (scope, { contactId, otherId, numberId }) => {
        const other = await contactRecords.read(scope, otherId)
        if (other?.merged?.id !== contactId) return undefined
        return (await conversations.idsOf(scope, numberId, [contactId]))(contactId)
      },
    }),
    readDashboard: createDashboard({
      ...parts,
      countActiveCampaigns,
      latestActivity: createLatestActivity({
        figures,
        namesOf: {
          conversation: contactNames,
          campaign: campaignsForFigures.names,
        },
      }),
    }),
    readAnalytics: createAnalyticsService({
      ...parts,
      countActiveContacts: contactRecords.countActiveUpTo,
      campaignsSince: campaignsForFigures.since,
    }),
    readTeamReport: createTeamReport({
      ...parts,
      countOpenByMember: conversationRecords.countOpenByOwner,
      ratings: lower.ratingRecords,
    }),
    recountFigures,
    tellWeek,
    figureDays: { perform: lookAtDay, due: () => figures.due(new Date()) },
  }
}
