import type { ActionFacts } from '@parley/contracts/automation/internal-actions'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { HttpRequest } from '@parley/flow/actions'
import { AppError } from '@parley/service-kit/core/errors'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskService } from '../../platform/platform.ts'
import type { CallingRun } from '../connections/module.ts'
import { isCall, nextCall } from './actions-of.ts'
import type { CommitRuns } from './commit-runs.ts'
import type { Worlds } from './create-worlds.ts'
import type { Todo } from './inputs.ts'
import { givenUp, recordFailure, recordResults } from './record-results.ts'
import { endRun, placeOf } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { noEffects } from './world.ts'

/** Maximum actions of one call. */
const maxActions = 20
/** Rounds after which a run waits behind the others of its lane. */
const maxRounds = 8

type Reply = EndpointResponse<typeof messagingInternalApi.actions>

/** Asks for calls to other systems. */
export interface CallsOfRuns {
  /** @returns the code of the reason for which it cannot be made. */
  readonly request: (
    scope: WorkspaceScope,
    call: { readonly key: string; readonly request: HttpRequest; readonly run: CallingRun },
  ) => Promise<string | undefined>
  readonly wake: (scope: WorkspaceScope, connectionId: string) => Promise<void>
}

interface Dependencies {
  readonly runs: RunsRepository
  readonly worlds: Worlds
  readonly commit: CommitRuns
  readonly askMessaging: AskService
  readonly calls: CallsOfRuns
  readonly now: () => Promise<number>
  readonly logger: Logger
}

/**
 * Has messaging do what runs have to do. Keys make every action count once: whatever dies when, the same call is made again and
 * answers the same.
 */
export function createDelivery({ runs, worlds, commit, askMessaging, calls, now, logger }: Dependencies) {
  /** Works on a run until it has nothing to do, or has to wait. */
  async function deliver(found: RunRecord): Promise<void> {
    const scope = { workspaceId: found.workspaceId }
    let run: RunRecord | null = found
    for (let round = 0; run?.todo && round < maxRounds; round += 1) {
      const { todo }: RunRecord = run
      const isOver: boolean = await deliverOnce(scope, run, todo)
      if (isOver) return
      run = await runs.read(scope, run.id)
    }
  }

  /** Makes one call. @returns true where the run has to wait for its next try, or has nothing to do. */
  async function deliverOnce(scope: WorkspaceScope, run: RunRecord, todo: Todo): Promise<boolean> {
    const rest = todo.actions.slice(todo.results.length)
    const [next] = rest
    if (!next) return store(scope, run, todo, { results: [] })
    if (isCall(next)) return requestCall(scope, run, todo)
    const callAt = rest.findIndex(isCall)
    const count = Math.min(todo.isSingle ? 1 : maxActions, callAt === -1 ? rest.length : callAt)
    const answer = await askMessaging(scope, messagingInternalApi.actions, {
      body: {
        ...placeOf(run),
        ...(run.epoch !== undefined && { epoch: run.epoch }),
        by: { kind: run.kind, id: run.flowId, runId: run.id },
        chain: [...run.chain],
        actions: rest.slice(0, count),
      },
    }).catch((error: unknown) => ({ error }))
    if ('error' in answer) return fail(scope, run, todo, { error: answer.error, count })
    return store(scope, run, todo, { results: answer.results, facts: answer.facts })
  }

  /** Asks for a call to another system, whose result comes back as an input. */
  async function requestCall(scope: WorkspaceScope, run: RunRecord, todo: Todo): Promise<boolean> {
    const program = await worlds(scope, await now()).program(run.flowId, run.number)
    const call = program && nextCall(program, todo)
    const nodeId = todo.trace.at(-1)?.nodeId
    if (!call || nodeId === undefined)
      return store(scope, run, todo, { results: [{ outcome: 'refused', code: 'unavailable' }] })
    const { key, ...request } = call
    const calling = { runId: run.id, flowId: run.flowId, nodeId, inputNo: todo.inputNo }
    const code = await calls.request(scope, { key, request, run: calling })
    if (code !== undefined) return store(scope, run, todo, { results: [{ outcome: 'refused', code }] })
    const isOver = await store(scope, run, todo, { results: [{ outcome: 'done' }] })
    await calls.wake(scope, request.connectionId)
    return isOver
  }

  /** @returns whether the run has nothing to do for now. */
  async function store(
    scope: WorkspaceScope,
    run: RunRecord,
    todo: Todo,
    reply: {
      results: readonly Pick<Reply['results'][number], 'outcome' | 'code' | 'messageId'>[]
      facts?: ActionFacts
    },
  ): Promise<boolean> {
    let current: RunRecord | null = run
    // Inputs that arrive meanwhile change the run's version, but not what was done: the result is stored on the newer record.
    while (current?.todo?.inputNo === todo.inputNo && current.todo.results.length === todo.results.length) {
      const world = worlds(scope, await now())
      const effects = noEffects()
      const { steps, taken } = await recordResults(current, reply, world, effects)
      if (await commit(scope, current, effects, { steps, taken })) return current.todo === undefined
      current = await runs.read(scope, run.id)
    }
    return false
  }

  async function fail(
    scope: WorkspaceScope,
    run: RunRecord,
    todo: Todo,
    { error, count }: { error: unknown; count: number },
  ): Promise<boolean> {
    const code = permanentCode(error)
    if (code === 'not_found') {
      const effects = noEffects()
      endRun(run, { outcome: 'cancelled', reason: 'The conversation is gone.' }, await now())
      await commit(scope, run, effects)
      return true
    }
    if (code !== undefined && count === 1) return store(scope, run, todo, { results: [{ outcome: 'refused', code }] })
    if (code === undefined)
      logger.warn(
        { err: error, runId: run.id, tries: todo.tries },
        'messaging could not be asked for the actions of a run',
      )
    const current = await now()
    const isGivenUp = recordFailure(run, todo, { isPermanent: code !== undefined, now: current })
    if (isGivenUp) return store(scope, run, todo, { results: [{ outcome: 'refused', code: givenUp }] })
    await runs.save(scope, [run], {})
    return code === undefined
  }

  return { deliver }
}

/** Codes of errors that a retry does not change. */
const permanentCodes: ReadonlySet<string> = new Set([
  'not_found',
  'validation_failed',
  'bad_request',
  'malformed_json',
  'body_too_large',
  'idempotency_key_reused',
  'forbidden',
])

const permanentCode = (error: unknown): string | undefined =>
  error instanceof AppError && permanentCodes.has(error.code) ? error.code : undefined
