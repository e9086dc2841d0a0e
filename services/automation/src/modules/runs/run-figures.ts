import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type RunRecord, runSchema } from './runs.model.ts'

/** Figures of a bot's sessions, for its card. */
export interface BotFigures {
  /** Sessions that run at the moment. */
  readonly running: number
  /** Sessions begun in the last 30 days. */
  readonly conversations: number
  /** Ended sessions that were completed, and after which no person wrote within 24 hours. */
  readonly resolved: number
  /** `resolved` of those that have ended, whole percent; 0 before the first. */
  readonly automationRate: number
}

const shownDays = 30

/** Counts the sessions of bots by an index that holds all the fields. */
export function createRunFigures(connection: ServiceConnection) {
  const runs = workspaceCollection<RunRecord>({ connection, name: 'runs', schema: runSchema })

  /**
   * Bots without sessions are missing.
   * @param toldAt moment of the sample whose bots these are: its figures continue from then, and do not age out of their days.
   */
  return async (
    scope: WorkspaceScope,
    botIds: readonly string[],
    toldAt?: Date,
  ): Promise<ReadonlyMap<string, BotFigures>> => {
    if (botIds.length === 0) return new Map()
    const since = new Date(Math.min(Date.now(), toldAt?.getTime() ?? Infinity) - shownDays * 86_400_000)
    const [running, begun] = await Promise.all([
      runs(scope).aggregate<{ _id: string; count: number }>(
        [{ $match: { flowId: { $in: botIds }, live: true } }, { $group: { _id: '$flowId', count: { $sum: 1 } } }],
        { hint: 'running' },
      ),
      runs(scope).aggregate<{ _id: { flowId: string; outcome?: string; followedUp?: boolean }; count: number }>(
        [
          { $match: { flowId: { $in: botIds }, createdAt: { $gte: since } } },
          {
            $group: {
              _id: { flowId: '$flowId', outcome: '$outcome', followedUp: '$followedUp' },
              count: { $sum: 1 },
            },
          },
        ],
        { hint: 'figures' },
      ),
    ])
    const live = new Map(running.map(({ _id, count }) => [_id, count]))
    const rows = Map.groupBy(begun, ({ _id }) => _id.flowId)
    return new Map(
      [...new Set([...live.keys(), ...rows.keys()])].map((botId) => {
        const botRows = rows.get(botId) ?? []
        const conversations = sum(botRows)
        const ended = sum(botRows.filter(({ _id }) => typeof _id.outcome === 'string'))
        const resolved = sum(botRows.filter(({ _id }) => _id.outcome === 'completed' && _id.followedUp !== true))
        const automationRate = ended === 0 ? 0 : Math.round((100 * resolved) / ended)
        return [botId, { running: live.get(botId) ?? 0, conversations, resolved, automationRate }]
      }),
    )
  }
}

const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)
