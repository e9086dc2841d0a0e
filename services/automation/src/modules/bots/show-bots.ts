import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import type { BotRecord as ShownBot } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { BotRecord } from './bots.model.ts'
import type { BotsRepository } from './bots.repository.ts'

/** Figures of a bot's sessions, for its card. */
interface BotFigures {
  /** Sessions that run at the moment. */
  readonly running: number
  /** Sessions begun in the last 30 days. */
  readonly conversations: number
  /** Ended sessions that the bot ended itself, and after which no person wrote within 24 hours. */
  readonly resolved: number
  /** `resolved` of those that have ended, whole percent. */
  readonly automationRate: number
}

export interface ShowBotsDependencies {
  readonly readDraft: BotsRepository['readDraft']
  /** Reads figures; bots without sessions are missing. `toldAt`: the moment of the sample whose bots these are. */
  readonly figuresOf: (
    scope: WorkspaceScope,
    botIds: readonly string[],
    toldAt?: Date,
  ) => Promise<ReadonlyMap<string, BotFigures>>
  /** Counts open entries of the attention list, by bot. */
  readonly countOpen: (scope: WorkspaceScope, botIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
}

const noFigures: BotFigures = { running: 0, conversations: 0, resolved: 0, automationRate: 0 }
const emptyFlow: DraftFlow = { format: 2, nodes: [], edges: [] }

/** Converts stored bots to the answers of endpoints. */
export function createShowBots({ readDraft, figuresOf, countOpen }: ShowBotsDependencies) {
  async function summaries(scope: WorkspaceScope, bots: readonly BotRecord[]): Promise<BotSummary[]> {
    const ids = bots.map(({ id }) => id)
    const [workspaceBots, sample] = [false, true].map((is) => bots.filter((bot) => (bot.sample !== undefined) === is))
    const [figures, sampleFigures, attention] = await Promise.all([
      figuresOf(scope, idsOf(workspaceBots)),
      figuresOf(scope, idsOf(sample), sample?.[0]?.sample),
      countOpen(scope, ids),
    ])
    return bots.map((bot) => ({
      id: bot.id,
      version: bot.version,
      createdAt: bot.createdAt.toISOString(),
      updatedAt: bot.updatedAt.toISOString(),
      name: bot.name,
      status: bot.status,
      numberIds: [...bot.numberIds],
      ...(bot.publishedVersion !== undefined && { publishedVersion: bot.publishedVersion }),
      unpublishedChanges: bot.draftHash !== bot.publishedHash,
      ...(figures.get(bot.id) ?? sampleFigures.get(bot.id) ?? noFigures),
      attention: attention.get(bot.id) ?? 0,
      ...(bot.deletedAt && { deletedAt: bot.deletedAt.toISOString() }),
    }))
  }

  async function whole(scope: WorkspaceScope, bot: BotRecord): Promise<ShownBot> {
    const [draft, [summary]] = await Promise.all([readDraft(scope, bot.id), summaries(scope, [bot])])
    if (!summary) throw new Error('a bot has no summary')
    return { ...summary, draft: draft ?? emptyFlow, settings: bot.settings }
  }

  return { summaries, whole }
}
const idsOf = (bots: readonly BotRecord[] = []): string[] => bots.map(({ id }) => id)

export type ShowBots = ReturnType<typeof createShowBots>
