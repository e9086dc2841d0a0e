import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { type Retry, retriedOutcomes, uncertainCodes } from '@parley/contracts/automation/run-endpoints'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { idleState } from '@parley/flow/state'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform, Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import type { Worlds } from './create-worlds.ts'
import { personOf } from './person-of.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { newRun } from './start-run.ts'
import { takeInput } from './take-input.ts'
import { type Effects, type FlowVersion, noEffects, type World } from './world.ts'

/** Reason why a run is not tried again. */
export type RetryRefusal = 'enrolled' | 'gone' | 'node_gone' | 'uncertain' | 'wrong_state'

/** Facts that tries of one workflow's runs need, read before their transaction. */
interface RetryFacts {
  readonly workflow: ActiveWorkflow
  readonly world: World
  /** Contacts that can be reached, by id. */
  readonly contacts: ReadonlyMap<string, Contact>
  /** Runs with a step that may have been done. */
  readonly uncertain: ReadonlySet<string>
}

interface Dependencies extends Pick<Platform, 'askMessaging'> {
  readonly runs: Pick<RunsRepository, 'readMany' | 'takesPart' | 'save' | 'insert' | 'uncertainOf'>
  readonly attention: Pick<AttentionService, 'settle'>
  readonly worlds: Worlds
  readonly now: () => Promise<number>
}

interface Retried {
  readonly effects: Effects
  readonly refused: ReadonlyMap<string, RetryRefusal>
}

/** Tries failed runs of a workflow again. Each is a new run with keys of its own, and the old one knows of it: there is one at most. */
export function createRetryRuns({ runs, attention, worlds, now, askMessaging }: Dependencies) {
  /** Reads what tries of some runs need; `undefined` while their workflow is paused or deleted. */
  async function readFacts(
    scope: WorkspaceScope,
    flowId: string,
    found: readonly Pick<RunRecord, 'id' | 'contactId'>[],
  ): Promise<RetryFacts | undefined> {
    const world = worlds(scope, await now())
    const workflow = (await world.workflows()).find((one) => one.flowId === flowId)
    if (!workflow) return undefined
    const ids = [...new Set(found.map(({ contactId }) => contactId))]
    const { items } = await askMessaging(scope, messagingInternalApi.contacts, { body: { of: { ids } } })
    const uncertain = await runs.uncertainOf(
      scope,
      found.map(({ id }) => id),
      uncertainCodes,
    )
    return { workflow, world, contacts: new Map(items.map((contact) => [contact.id, contact])), uncertain }
  }

  /** Stores the new runs, in the transaction of the caller. */
  async function retry(
    scope: WorkspaceScope,
    ids: readonly string[],
    { how, facts, tx }: { how: Retry; facts: RetryFacts; tx: Session },
  ): Promise<Retried> {
    const effects = noEffects()
    const refused = new Map<string, RetryRefusal>()
    const changed: RunRecord[] = []
    const takingPart = new Set<string>()
    const found = new Map((await runs.readMany(scope, ids, tx)).map((run) => [run.id, run]))
    for (const id of ids) {
      const old = found.get(id)
      const again = old ? await prepared(old, how, facts) : 'gone'
      if (!old || typeof again === 'string') {
        refused.set(id, typeof again === 'string' ? again : 'gone')
        continue
      }
      const { reEnrolment } = facts.workflow.enrolment
      if (reEnrolment !== 'always') {
        const { flowId, contactId } = old
        const place = { flowId, contactId, whileLive: reEnrolment === 'when_finished', except: id }
        if (takingPart.has(contactId) || (await runs.takesPart(scope, place, tx))) {
          refused.set(id, 'enrolled')
          continue
        }
        takingPart.add(contactId)
        again.run.slot = reEnrolment === 'never' ? 'once' : 'live'
        old.slot = undefined
      }
      old.retriedBy = again.run.id
      changed.push(old)
      effects.started.push(again.run)
      effects.attention.push(...again.effects.attention)
    }
    // The place of a contact is given up before it is taken.
    if ((await runs.save(scope, changed, tx)) !== changed.length) throw new Error('a run was changed meanwhile')
    if (effects.started.length > 0) await runs.insert(scope, effects.started, tx)
    await attention.settle(
      scope,
      changed.map(({ id, flowId, state, code, outcome }) => ({
        id,
        flowId,
        nodeId: state.nodeId,
        code: outcome === 'loop' ? 'loop' : (code ?? 'failed'),
      })),
      tx,
    )
    return { effects, refused }
  }

  return { readFacts, retry }
}

async function prepared(
  old: RunRecord,
  how: Retry,
  { workflow, world, contacts, uncertain }: RetryFacts,
): Promise<{ run: RunRecord; effects: Effects } | RetryRefusal> {
  const { kind, flowId, outcome, retriedBy, legs, contactId, chain, conversationId, numberId, recent, startedBy } = old
  const isFailed = outcome !== undefined && retriedOutcomes.includes(outcome)
  if (kind !== 'workflow' || flowId !== workflow.flowId || !isFailed || retriedBy || legs.length > 0)
    return 'wrong_state'
  if (uncertain.has(old.id) && !how.repeatUncertain) return 'uncertain'
  const contact = contacts.get(contactId)
  if (!contact) return 'gone'
  const version = await (how.version === 'same' ? world.version(flowId, old.number) : world.published(flowId))
  const nodeId = version && beginningOf(old, how, version)
  if (!version || nodeId === undefined || !version.program.nodes.has(nodeId)) return 'node_gone'
  const run = newRun(
    { contactId, contactName: contact.name, chain, conversationId, numberId },
    {
      kind: 'workflow',
      flowId,
      number: version.number,
      startedBy: { eventId: newId(), triggerId: startedBy.triggerId, event: 'retry', by: 'user' },
      recent,
    },
    world.now,
  )
  const { session, formOf, lastAnswer } = old.state
  // The values of a call are in the variables alone.
  const isByCall = version.program.nodes.get(nodeId)?.settings?.kind === 'hook'
  const again = {
    ...run,
    retryOf: old.id,
    state:
      how.from === 'start' && !isByCall ? idleState : { ...idleState, session, ...(formOf && { formOf }), lastAnswer },
  }
  const effects = noEffects()
  await takeInput(again, { input: { type: 'start_at', nodeId }, person: personOf(contact) }, world, effects)
  return { run: again, effects }
}

/** Returns the node at which another try begins: the trigger of a version that has another one is its first. */
function beginningOf(
  { state, startedBy: { triggerId } }: RunRecord,
  { from }: Retry,
  { program }: FlowVersion,
): string | undefined {
  if (typeof from === 'object') return from.nodeId
  if (from === 'failed' && state.nodeId !== null) return state.nodeId
  return program.nodes.has(triggerId) ? triggerId : program.events[0]?.nodeId
}
