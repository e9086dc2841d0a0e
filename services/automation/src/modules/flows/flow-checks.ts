import type { botsApi } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowCheck } from '@parley/contracts/automation/publication'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { FlowRecord } from './flow-records.model.ts'
import type { createFlowTests } from './flow-tests.ts'
import { type FlowsRepository, missing } from './flows.repository.ts'
import type { createFindProblems } from './publish-world.ts'
import type { NodesOfVersion, RunsOfFlows, WaitingRuns } from './runs-of-flows.ts'

interface Dependencies {
  readonly repository: FlowsRepository
  readonly runs: RunsOfFlows
  readonly findProblems: ReturnType<typeof createFindProblems>
  readonly failingTests: ReturnType<typeof createFlowTests>['problems']
}

export type FlowChecks = ReturnType<typeof createFlowChecks>

/** Finds what stands against the publication of a flow, and which runs it would concern. */
export function createFlowChecks({ repository, runs, findProblems, failingTests }: Dependencies) {
  const { kind } = repository

  async function draftOf(scope: WorkspaceScope, bot: FlowRecord): Promise<DraftFlow> {
    const draft = await repository.readDraft(scope, bot.id)
    if (!draft) throw missing(kind)
    return draft
  }

  async function versionOf(scope: WorkspaceScope, { id }: FlowRecord, number: number): Promise<DraftFlow> {
    const flow = await repository.readFlow(scope, id, number)
    if (!flow) throw errors.notFound('There is no such version.')
    return flow
  }

  /** @param number version that is published once more: a test recorded since may fail on it, which is to be accepted. */
  async function problemsOf(scope: WorkspaceScope, bot: FlowRecord, flow: DraftFlow, number: number | undefined) {
    const [found, failing, version] = await Promise.all([
      findProblems(scope, bot, flow),
      failingTests(scope, bot, flow),
      number === undefined ? undefined : repository.readVersion(scope, bot.id, number),
    ])
    const ofTests = failing.map(({ updatedAt, ...problem }) =>
      version && updatedAt > version.publishedAt ? { ...problem, severity: 'warning' as const } : problem,
    )
    return [...ofTests, ...found].sort((left, right) => left.severity.localeCompare(right.severity))
  }

  /** Counts runs, and of these those that wait at a node which their own version and the flow have, with the same kind. */
  async function runningOn(scope: WorkspaceScope, bot: FlowRecord, flow: DraftFlow) {
    const [running, waiting] = await Promise.all([runs.countRunning(scope, bot.id), runs.countWaiting(scope, bot.id)])
    const kinds = new Map(flow.nodes.map(({ id, settings }) => [id, settings.kind]))
    const numbers = [...running.keys()]
    const shared: NodesOfVersion[] = []
    // One at a time: each is a whole flow. On the published version others may begin to wait meanwhile.
    for (const from of new Set([...numbers, ...(bot.publishedVersion === undefined ? [] : [bot.publishedVersion])])) {
      const nodes = (await repository.readFlow(scope, bot.id, from))?.nodes ?? []
      const nodeIds = nodes.filter(({ id, settings }) => kinds.get(id) === settings.kind).map(({ id }) => id)
      shared.push({ from, nodeIds })
    }
    const isMovable = ({ number, nodeId }: WaitingRuns) =>
      shared.some(({ from, nodeIds }) => from === number && nodeIds.includes(nodeId))
    const movable = sum(waiting.filter(isMovable).map(({ count }) => count))
    return { running: sum(running.values()), shared, movable, numbers }
  }

  /** Checks the flow that is sent, or a version, or the draft. @throws `not_found`. */
  async function check(
    scope: WorkspaceScope,
    id: string,
    { draft, number }: EndpointInput<typeof botsApi.check>['body'] = {},
  ): Promise<FlowCheck> {
    const bot = await repository.require(scope, id)
    const flow = draft ?? (number === undefined ? await draftOf(scope, bot) : await versionOf(scope, bot, number))
    const [problems, { running, movable }] = await Promise.all([
      problemsOf(scope, bot, flow, number),
      runningOn(scope, bot, flow),
    ])
    return { problems, running, movable: Math.min(movable, running) }
  }

  return { draftOf, versionOf, problemsOf, runningOn, check }
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)
