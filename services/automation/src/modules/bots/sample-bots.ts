import type { DraftFlow } from '@parley/contracts/automation/flow'
import { mainNumberId } from '@parley/sample/numbers'
import { createSampleDataset, type SampleDataset } from '@parley/sample/sample-dataset'
import { AppError } from '@parley/service-kit/core/errors'
import { sampleBotId, sampleNumberId } from '@parley/service-kit/data/sample-ids'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { BotsRepository } from './bots.repository.ts'
import { ledTo, namedIn } from './publish-world.ts'
import type { RoutingRepository } from './routing.ts'

/** Refusals after which a bot of the sample is stored, but paused: the workspace's own bots come first. */
const pausing: ReadonlySet<string> = new Set(['keyword_taken', 'limit_reached'])

/** Makes records of the sample's bots: they answer at the sample's own number alone. */
export function createSampleBots(repository: BotsRepository, routing: RoutingRepository) {
  const idsIn = (scope: WorkspaceScope) =>
    [...createSampleDataset({ now: new Date() }).bots.keys()].map((storyId) => sampleBotId(scope, storyId))

  /** Stores missing bots, published, and starts the active ones. In the caller's transaction. */
  async function insert(scope: WorkspaceScope, sample: SampleDataset, tx: Session): Promise<void> {
    if (await repository.isSampleThere(scope, tx)) return
    await routing.raise(scope, tx)
    const numberIds = [sampleMainNumberId(scope, sample)]
    const bots = []
    for (const { id, name, settings, draft, ...bot } of sample.bots.values()) {
      const flow = withOwnIds(scope, draft)
      const record = {
        _id: sampleBotId(scope, id),
        name,
        settings,
        numberIds,
        flow,
        goesTo: namedIn(flow).botIds,
        leadsTo: ledTo(flow),
        createdAt: new Date(bot.createdAt),
        updatedAt: new Date(bot.updatedAt),
        sample: sample.now,
      }
      const claims = bot.status === 'active' && (await claim(scope, record, tx))
      bots.push({ ...record, status: claims ? ('active' as const) : ('paused' as const) })
    }
    await repository.insertSample(scope, bots, tx)
  }

  /** @returns whether a bot got its triggers; nothing is written where another bot has one of them. */
  const claim = (
    scope: WorkspaceScope,
    { _id: id, flow, ...bot }: { _id: string; flow: DraftFlow; numberIds: readonly string[]; createdAt: Date },
    tx: Session,
  ): Promise<boolean> =>
    routing.claim(scope, { id, ...bot }, flow, tx).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && pausing.has(error.code)) return false
        throw error
      },
    )

  /** Removes the bots with their triggers. In the caller's transaction. */
  async function remove(scope: WorkspaceScope, tx: Session): Promise<void> {
    await routing.raise(scope, tx)
    const ids = idsIn(scope)
    for (const id of ids) await routing.release(scope, id, tx)
    await repository.removeAll(scope, ids, tx)
  }

  return { idsIn, isThere: repository.isSampleThere, insert, remove }
}

/** Returns the id of the number of the story's conversations, as messaging has stored it. */
export function sampleMainNumberId(scope: WorkspaceScope, sample: SampleDataset): string {
  const index = [...sample.numbers.keys()].indexOf(mainNumberId)
  const number = sample.numbers.get(mainNumberId)
  if (!number) throw new Error('the sample has no main number')
  return sampleNumberId(scope, number, index)
}

/** Returns a flow of the story with its references to other bots replaced by those of this workspace. */
const withOwnIds = (scope: WorkspaceScope, flow: DraftFlow): DraftFlow => ({
  ...flow,
  nodes: flow.nodes.map((node) => {
    const { kind, botId } = node.settings as { kind: string; botId?: unknown }
    return kind === 'go_to_bot' && typeof botId === 'string'
      ? { ...node, settings: { ...node.settings, botId: sampleBotId(scope, botId) } }
      : node
  }),
})
