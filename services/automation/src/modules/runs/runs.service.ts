import type { FlowKind, FlowStatus } from '@parley/contracts/automation/flow-summary'
import type { ActionFacts } from '@parley/contracts/automation/internal-actions'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { runsApi } from '@parley/contracts/automation/run-endpoints'
import type { Run } from '@parley/contracts/automation/runs'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { Sight } from '../../platform/visibility.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { Worlds } from './create-worlds.ts'
import { personOf } from './person-of.ts'
import { filterOf, indexOf, newestRuns } from './run-filter.ts'
import { asks } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { newRun } from './start-run.ts'
import { takeInput } from './take-input.ts'
import { fullness, noEffects } from './world.ts'

export type { RunRecord } from './runs.model.ts'
export type { RunsRepository } from './runs.repository.ts'

export type RunQuery = EndpointInput<typeof runsApi.ofBot>['query']

const newest: ListSort<RunRecord> = { field: 'createdAt', direction: -1, index: newestRuns }

/** Shows sessions to people, and lets them end, release and start some. */
export function createRunsService({
  runs,
  worlds,
  attention,
  now,
  tell,
  requireFlow,
  cursors,
  transaction,
  askMessaging,
}: Pick<Platform, 'cursors' | 'transaction' | 'askMessaging'> & {
  readonly runs: RunsRepository
  readonly worlds: Worlds
  readonly attention: Pick<AttentionService, 'raise'>
  readonly now: () => Promise<number>
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
  /** @throws `not_found` where there is no such flow. */
  readonly requireFlow: (scope: WorkspaceScope, kind: FlowKind, id: string) => Promise<{ readonly status: FlowStatus }>
}) {
  async function ofFlow(
    scope: WorkspaceScope,
    { kind, id }: { kind: FlowKind; id: string },
    { limit, cursor, ...query }: RunQuery,
    sight: Sight,
  ): Promise<EndpointResponse<typeof runsApi.ofBot>> {
    await requireFlow(scope, kind, id)
    const filter = filterOf(id, query)
    const index = indexOf(query)
    const seen = await sight(() => runs.conversationsOf(scope, filter, index))
    const page = await pageOf(runs.collection(scope), {
      sort: newest,
      index,
      cursors,
      workspaceId: scope.workspaceId,
      filter: { ...filter, ...(seen && { conversationId: { $in: seen } }) },
      query: { id, ...query },
      limit,
      cursor,
    })
    return { ...page, items: page.items.map(shown) }
  }

  async function read(scope: WorkspaceScope, id: string): Promise<EndpointResponse<typeof runsApi.read>> {
    const run = await requireRun(scope, id)
    const steps = await runs.stepsOf(scope, id)
    return {
      run: shown(run),
      steps: steps.map(({ n, at, nodeId, kind, branch, action, outcome, code, messageId, call }) => ({
        n,
        at: at.toISOString(),
        nodeId,
        kind,
        branch,
        action,
        outcome,
        code,
        messageId,
        call,
      })),
    }
  }

  async function requireRun(scope: WorkspaceScope, id: string): Promise<RunRecord> {
    const run = isId(id) ? await runs.read(scope, id) : null
    if (!run) throw noSession()
    return run
  }

  /** Ends a session, once it has nothing else to do; its conversation goes to people. @throws `wrong_state` of one that has ended. */
  async function cancel(scope: WorkspaceScope, id: string): Promise<Run> {
    await requireRun(scope, id)
    const ended = await runs.endLater(scope, id, 'A colleague has ended it.')
    if (!ended) throw errors.wrongState('It has ended already.')
    tell(scope, [ended])
    return shown(ended)
  }

  /** Releases a held session. @throws `wrong_state` of one that is not held. */
  async function release(scope: WorkspaceScope, id: string): Promise<Run> {
    await requireRun(scope, id)
    const released = await runs.release(scope, id, new Date(await now()))
    if (!released) throw errors.wrongState('It is not held.')
    tell(scope, [released])
    return shown(released)
  }

  /**
   * Gives a conversation to a bot.
   * @throws `not_found`; `not_published`; `conversation_taken` while a person or another session has it; `wrong_state` where the bot is
   * paused, or has no trigger to start at; `limit_reached` where too many are live.
   */
  async function start(scope: WorkspaceScope, botId: string, conversationId: string): Promise<Run> {
    const { status } = await requireFlow(scope, 'bot', botId)
    const world = worlds(scope, await now())
    const version = await world.published(botId)
    if (!version) throw new AppError('not_published', 'Publish the bot first: it has nothing to run yet.')
    // Answers of the customer are not told to a session of a paused bot.
    if (status !== 'active') throw errors.wrongState('The bot is paused. Start it first.')
    const refusal = await fullness(world, 0)
    if (refusal !== undefined) throw new AppError('limit_reached', refusal)
    const facts = await factsOf(scope, botId, conversationId)
    if (facts.heldByPerson)
      throw new AppError(
        'conversation_taken',
        'A person has this conversation. Unassign it first, then give it to the bot.',
      )
    const { contact, conversation } = facts.snapshot
    if (!conversation || (await runs.holderOf(scope, conversation.id))) throw taken()
    const id = newId()
    const recipient = { contactId: contact.id, contactName: contact.name, conversationId: conversation.id }
    const run = newRun(
      { ...recipient, numberId: conversation.numberId, chain: [] },
      {
        kind: 'bot',
        flowId: botId,
        number: version.number,
        startedBy: { eventId: id, triggerId: version.program.handedOver ?? '' },
        recent: await world.recentIn(conversation.id),
      },
      world.now,
    )
    const effects = noEffects()
    const received = { input: { type: 'handed_over' as const }, person: personOf(contact) }
    if (!(await takeInput(run, received, world, effects)))
      throw errors.wrongState('The bot has no trigger to start at.')
    await transaction(async (tx) => {
      await runs.insert(scope, [run], tx)
      await attention.raise(scope, effects.attention, tx)
    }).catch((error: unknown) => {
      throw isDuplicateKey(error) ? taken() : error
    })
    tell(scope, [run])
    return shown(run)
  }

  async function factsOf(scope: WorkspaceScope, botId: string, conversationId: string): Promise<ActionFacts> {
    if (!isId(conversationId)) throw errors.notFound('There is no such conversation.')
    const by = { kind: 'bot' as const, id: botId, runId: newId() }
    const { facts } = await askMessaging(scope, messagingInternalApi.actions, {
      body: { conversationId, by, chain: [], actions: [] },
    })
    return facts
  }

  return { ofFlow, read, cancel, release, start }
}
export const noSession = () => errors.notFound('There is no such run.')
const taken = () => new AppError('conversation_taken', 'Another session of a bot has this conversation.')

/** Converts a session to the form of lists. */
export function shown(run: RunRecord): Run {
  const { id, kind, flowId, number, status, state, contactId, contactName, conversationId, startedBy } = run
  const { event, detail, by } = startedBy
  const { outcome, reason, code, retryOf, retriedBy, dueAt, createdAt, endedAt } = run
  return {
    id,
    ...(kind === 'bot' ? { botId: flowId } : { workflowId: flowId }),
    ...(event && { started: { event, detail, by } }),
    number,
    status,
    asks: status !== 'ended' && asks(state),
    contactId,
    contactName,
    conversationId,
    nodeId: state.nodeId ?? undefined,
    outcome,
    reason,
    code,
    retryOf,
    retriedBy,
    dueAt: dueAt?.toISOString(),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString(),
  }
}
