import type { botsApi } from '@parley/contracts/automation/bots'
import type { PublishProblem } from '@parley/contracts/automation/publication'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UserContext } from '@parley/service-kit/http/context'
import type { OneAtATime } from '../../platform/one-at-a-time.ts'
import type { Platform, Session } from '../../platform/platform.ts'
import type { FlowChecks } from './flow-checks.ts'
import { testFailed } from './flow-tests.ts'
import { connectionsOf, flowHash } from './flow-text.ts'
import { type FlowsRepository, missing } from './flows.repository.ts'
import type { ShowFlows } from './flows.service.ts'
import { eventsOf, ledTo, namedIn } from './publish-world.ts'
import type { RoutingRepository } from './routing.ts'
import type { NodesOfVersion, RunsOfFlows } from './runs-of-flows.ts'

/** Maximum versions that are kept of a flow, beside those that still run. */
const keptVersions = 200

interface Dependencies<S, W> extends Pick<Platform, 'transaction'> {
  readonly repository: FlowsRepository
  readonly routing: RoutingRepository
  readonly runs: RunsOfFlows
  readonly show: ShowFlows<S, W>
  readonly checks: FlowChecks
  readonly oneAtATime: OneAtATime
  /** Counts those of some connections that are there. */
  readonly countConnections: (scope: WorkspaceScope, ids: readonly string[], tx: Session) => Promise<number>
  readonly tell: (scope: WorkspaceScope) => Promise<void>
  /** Has open pages read a flow again: another person may have it before them. */
  readonly tellPages: (scope: WorkspaceScope, id: string) => void
}

type PublishInput = EndpointInput<typeof botsApi.publish>['body']

/** A flow after its publication, with its number and what became of running ones. */
interface Published<W> {
  readonly shown: W
  readonly number: number
  readonly moved: number
  readonly ended: number
}

/** Operations that publish a draft, pause its flow and resume it. */
export function createPublication<S, W>(dependencies: Dependencies<S, W>) {
  const { repository, routing, runs, show, checks, oneAtATime, countConnections, tell, tellPages, transaction } =
    dependencies
  const { kind } = repository
  const { draftOf, versionOf, problemsOf, runningOn } = checks

  /**
   * Publishes the draft, or an older version once more, as the next version.
   * @throws `stale_version` with the record as it is now, `invalid_flow`, `warnings_open` with the sentences by node, `keyword_taken`.
   */
  async function publish(
    ctx: UserContext,
    id: string,
    { running, accept, note, start = false, version }: PublishInput,
    restoredFrom?: number,
  ): Promise<Published<W>> {
    const bot = await repository.require(ctx, id)
    if (bot.version !== version) throw errors.staleVersion(await show.whole(ctx, bot))
    const draft = restoredFrom === undefined ? await draftOf(ctx, bot) : await versionOf(ctx, bot, restoredFrom)
    refuse(await problemsOf(ctx, bot, draft, restoredFrom), accept)
    const before = await runningOn(ctx, bot, draft)
    const number = (bot.publishedVersion ?? 0) + 1
    const hash = flowHash(draft)
    const { botIds } = namedIn(draft)
    const connectionIds = connectionsOf(draft)
    const others = botIds.filter((other) => other !== id)

    const result = await oneAtATime(ctx.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(ctx, tx)
        // The bot was deleted since the check: its deletion has raised the table as well.
        if ((await repository.countPublished(ctx, others, tx)) < others.length)
          throw new AppError('invalid_flow', 'A bot to which this one goes on was deleted. Choose another.')
        if ((await countConnections(ctx, connectionIds, tx)) < connectionIds.length)
          throw new AppError('invalid_flow', 'A connection that this flow calls was deleted. Choose another.')
        const published = await repository.records(ctx).findOneAndUpdate(
          { _id: id, version, deletedAt: null },
          {
            $set: {
              publishedVersion: number,
              publishedHash: hash,
              ...(kind === 'workflow' && { events: eventsOf(draft) }),
              goesTo: botIds,
              leadsTo: ledTo(draft),
              connections: connectionIds,
              ...(start && { status: 'active' as const }),
            },
          },
          { session: tx.session },
        )
        if (!published) return undefined
        const told = { ...(note && { note }), ...(restoredFrom !== undefined && { restoredFrom }) }
        const added = { flowId: id, number, flow: draft, hash, ...told }
        await repository.addVersion(ctx, { ...added, publishedBy: ctx.userId, publishedAt: new Date() }, tx)
        if (published.status === 'active') await routing.claim(ctx, published, draft, tx)
        return { published, ...(await changeRunning(ctx, { id, number, shared: before.shared, running }, tx)) }
      }),
    )
    if (!result) throw errors.staleVersion(await show.whole(ctx, await repository.require(ctx, id)))
    await tell(ctx)
    tellPages(ctx, id)
    await repository.removeVersions(ctx, id, number - keptVersions, before.numbers)
    const { published, moved, ended } = result
    return { shown: await show.whole(ctx, published), number, moved, ended }
  }

  async function changeRunning(
    scope: WorkspaceScope,
    {
      id,
      number,
      shared,
      running,
    }: { id: string; number: number; shared: readonly NodesOfVersion[]; running: PublishInput['running'] },
    tx: Session,
  ): Promise<{ moved: number; ended: number }> {
    if (running === 'move') {
      let moved = 0
      for (const nodes of shared) moved += await runs.move(scope, id, { ...nodes, to: number }, tx)
      return { moved, ended: 0 }
    }
    if (running !== 'end') return { moved: 0, ended: 0 }
    const reason = `A new version of the ${kind} was published.`
    return { moved: 0, ended: await runs.end(scope, id, { reason, except: number }, tx) }
  }

  /** Starts a published flow. @throws `not_found`, `not_published`, `keyword_taken`, `limit_reached`. */
  async function start(scope: WorkspaceScope, id: string): Promise<W> {
    await repository.require(scope, id)
    const started = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(scope, tx)
        const bot = await repository.change(scope, id, { $set: { status: 'active' as const } }, tx)
        if (!bot) throw missing(kind)
        const flow = await repository.publishedFlow(scope, bot, tx)
        if (!flow) throw new AppError('not_published', `Publish the ${kind} first: it has no version that could run.`)
        await routing.claim(scope, bot, flow, tx)
        return bot
      }),
    )
    await tell(scope)
    tellPages(scope, id)
    return show.whole(scope, started)
  }

  /** Pauses a flow: no new run begins. @throws `not_found`. */
  async function pause(scope: WorkspaceScope, id: string, running: 'finish' | 'end' = 'finish'): Promise<W> {
    await repository.require(scope, id)
    const paused = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(scope, tx)
        const bot = await repository.change(scope, id, { $set: { status: 'paused' as const } }, tx)
        if (!bot) throw missing(kind)
        await routing.release(scope, id, tx)
        if (running === 'end') await runs.end(scope, id, { reason: `The ${kind} was paused.` }, tx)
        return bot
      }),
    )
    await tell(scope)
    tellPages(scope, id)
    return show.whole(scope, paused)
  }

  return { check: checks.check, publish, start, pause }
}

/** @throws for a critical problem, and for a warning that was not accepted, with the sentences by node. */
function refuse(problems: readonly PublishProblem[], accepted: readonly string[] = []): void {
  const critical = problems.filter(({ severity }) => severity === 'critical')
  const [first] = critical
  if (first) {
    const owner = critical.find((problem) => problem.owner)
    const isOfTests = critical.every(({ code }) => code === testFailed)
    const code = isOfTests ? 'tests_failed' : first.owner && critical.length === 1 ? 'keyword_taken' : 'invalid_flow'
    const more =
      critical.length > 1 ? ` ${critical.length - 1} more ${critical.length === 2 ? 'problem' : 'problems'}.` : ''
    throw new AppError(code, `${first.sentence}${more}`, {
      fields: sentencesOf(critical),
      ...(owner?.owner && { existing: owner.owner }),
    })
  }
  const isAccepted = ({ code, nodeId }: PublishProblem) =>
    accepted.includes(code) || (nodeId !== undefined && accepted.includes(`${code}:${nodeId}`))
  const open = problems.filter((problem) => !isAccepted(problem))
  if (open.length > 0)
    throw new AppError('warnings_open', 'Read the warnings and accept them, or change the flow.', {
      fields: sentencesOf(open),
    })
}

const sentencesOf = (problems: readonly PublishProblem[]): Record<string, string> =>
  Object.fromEntries(problems.map(({ code, nodeId, sentence }) => [nodeId ? `${code}:${nodeId}` : code, sentence]))
