import type { DraftFlow } from '@parley/contracts/automation/flow'
import { mainNumberId } from '@parley/sample/numbers'
import { createSampleDataset, type SampleDataset } from '@parley/sample/sample-dataset'
import { AppError } from '@parley/service-kit/core/errors'
import { sampleBotId, sampleNumberId } from '@parley/service-kit/data/sample-ids'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { FlowsRepository } from './flows.repository.ts'
import { eventsOf, ledTo, namedIn } from './publish-world.ts'
import type { RoutingRepository } from './routing.ts'
import { freshEnrolment } from './show-flows.ts'

/** Refusals after which a bot of the sample is stored, but paused: the workspace's own bots come first. */
const pausing: ReadonlySet<string> = new Set(['keyword_taken', 'limit_reached'])

interface Dependencies {
  readonly bots: FlowsRepository
  readonly workflows: FlowsRepository
  readonly routing: RoutingRepository
}

/** Makes records of the sample's bots and workflows: they act at the sample's own number alone. */
export function createSampleFlows({ bots, workflows, routing }: Dependencies) {
  const idsIn = (scope: WorkspaceScope) => {
    const sample = createSampleDataset({ now: new Date() })
    return [...sample.bots.keys(), ...sample.workflows.keys()].map((storyId) => sampleBotId(scope, storyId))
  }

  /** Stores missing flows, published, and starts the active ones. In the caller's transaction. */
  async function insert(scope: WorkspaceScope, sample: SampleDataset, tx: Session): Promise<void> {
    if (await bots.isSampleThere(scope, tx)) return
    await routing.raise(scope, tx)
    const common = { numberIds: [sampleMainNumberId(scope, sample)], sample: sample.now }
    const storedBots = []
    for (const { settings, ...bot } of sample.bots.values()) {
      const record = { ...common, ...recordOf(scope, bot), settings }
      const claims = bot.status === 'active' && (await claim(scope, record, tx))
      storedBots.push({ ...record, status: claims ? ('active' as const) : ('paused' as const) })
    }
    await bots.insertSample(scope, storedBots, tx)
    const storedWorkflows = [...sample.workflows.values()].map((workflow) => ({
      ...common,
      ...recordOf(scope, workflow),
      status: workflow.status,
      enrolment: { ...freshEnrolment, reEnrolment: workflow.reEnrolment },
      events: eventsOf(workflow.draft),
    }))
    await workflows.insertSample(scope, storedWorkflows, tx)
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

  /** Removes the flows with their triggers. In the caller's transaction. */
  async function remove(scope: WorkspaceScope, tx: Session): Promise<void> {
    await routing.raise(scope, tx)
    const ids = idsIn(scope)
    for (const id of ids) await routing.release(scope, id, tx)
    await bots.removeAll(scope, ids, tx)
    await workflows.removeAll(scope, ids, tx)
  }

  return { idsIn, isThere: bots.isSampleThere, insert, remove }
}

/** Returns the fields that a bot and a workflow of the story have in common. */
function recordOf(
  scope: WorkspaceScope,
  {
    id,
    name,
    draft,
    createdAt,
    updatedAt,
  }: { id: string; name: string; draft: DraftFlow; createdAt: string; updatedAt: string },
) {
  const flow = withOwnIds(scope, draft)
  return {
    _id: sampleBotId(scope, id),
    name,
    flow,
    goesTo: namedIn(flow).botIds,
    leadsTo: ledTo(flow),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
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
