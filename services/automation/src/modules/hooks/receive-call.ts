import { type HookAnswer, hookTokenSchema, workspaceOfHook } from '@parley/contracts/automation/hooks'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { SettingsOf } from '@parley/flow/program'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { MoveGate } from '@parley/service-kit/data/move-gate'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import { storedStarts } from '../runs/earlier-starts.ts'
import type { RunRecord, RunsRepository } from '../runs/runs.service.ts'
import { type Start, startOnRequest } from '../runs/start-workflows.ts'
import { noEffects, type World } from '../runs/world.ts'
import type { HookCallRecord, HookRecord } from './hooks.model.ts'
import type { HooksRepository } from './hooks.repository.ts'
import { fieldsOf, hashOf, type ReadCall, readCall } from './read-call.ts'

/** Tries of a call that meets another one of its contact or key. */
const maxTries = 5

interface Dependencies extends Pick<Platform, 'transaction' | 'askMessaging' | 'logger' | 'closings'> {
  readonly hooks: HooksRepository
  readonly gate: Pick<MoveGate, 'run'>
  readonly runs: RunsRepository
  readonly worlds: Worlds
  readonly attention: Pick<AttentionService, 'raise'>
  readonly now: () => Promise<number>
  /** Wakes the lanes of stored runs, and tells pages. */
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
}

/** Call of an address. */
interface Call {
  readonly token: string
  readonly body: Buffer
  readonly idempotencyKey: string | undefined
}

/** A workflow that a call starts, with the trigger of its published version. */
interface Target {
  readonly workflow: ActiveWorkflow
  readonly world: World
  readonly settings: SettingsOf<'hook'>
}

/** Takes calls of other systems: each starts one run, however often it comes. */
export function createReceiveCall({ hooks, gate, runs, worlds, attention, now, tell, ...tools }: Dependencies) {
  const { transaction, askMessaging, logger } = tools

  /**
   * @throws `not_found` for a token that is none; `service_unavailable` while its workspace moves, and where it has left; `rate_limited`;
   * `workspace_closing`; `wrong_state`, `not_published` of its workflow; `malformed_json`, `validation_failed` with the field that is wrong.
   */
  return async (call: Call): Promise<HookAnswer> => {
    const { token } = call
    const hook = hookTokenSchema.safeParse(token).success ? await hooks.find(hashOf(token)) : null
    const workspaceId = hook?.workspaceId ?? workspaceOfHook(token)
    const work = () => receive(hook, call)
    return workspaceId === undefined ? work() : gate.run({ workspaceId }, work)
  }

  async function receive(hook: HookRecord | null, { body, idempotencyKey }: Call): Promise<HookAnswer> {
    if (!hook) throw errors.notFound('There is no such address: it was replaced, or its workflow was deleted.')
    if ((await tools.closings()).has(hook.workspaceId))
      throw new AppError('workspace_closing', 'This workspace is being deleted: nothing was started.')
    const time = await now()
    if (!(await hooks.count(hook, time)))
      throw errors.rateLimited(60 - (Math.floor(time / 1000) % 60), 'This address was called too often in this minute.')
    try {
      const target = await targetOf(hook, time)
      const call = readCall(body, target.settings, idempotencyKey)
      const known = await hooks.answered(hook, hook, call.key, { now: time })
      if (known) return await repeated(hook, known)
      const contact = await contactOf(hook, call, target.settings)
      return await start(hook, { target, call, contact, fields: fieldsOf(body) })
    } catch (error) {
      if (error instanceof AppError && error.status < 500) await noteRefusal(hook, { error, body, time })
      throw error
    }
  }

  async function targetOf({ flowId, nodeId, ...hook }: HookRecord, time: number): Promise<Target> {
    const world = worlds({ workspaceId: hook.workspaceId }, time)
    const workflow = (await world.workflows()).find((one) => one.flowId === flowId)
    if (!workflow) throw errors.wrongState('The workflow is paused or deleted: nothing was started.')
    const settings = (await world.published(flowId))?.program.nodes.get(nodeId)?.settings
    if (settings?.kind !== 'hook')
      throw new AppError('not_published', 'The published version of the workflow has no such trigger.')
    return { workflow, world, settings }
  }

  /** Finds the contact whom a call names, or makes it where the trigger says so. */
  async function contactOf(
    { workspaceId }: WorkspaceScope,
    { who, name }: ReadCall,
    { contact: { create, pointer } }: SettingsOf<'hook'>,
  ): Promise<Contact> {
    const of = 'id' in who ? { ids: [who.id] } : { phone: who.phone, ...(create && { create: { name } }) }
    const { items } = await askMessaging({ workspaceId }, messagingInternalApi.contacts, { body: { of } })
    if (items[0]) return items[0]
    throw errors.validation({
      [pointer]: `No contact has the ${'id' in who ? 'id' : 'phone number'} at ${pointer}, or it cannot be written to.`,
    })
  }

  async function start(
    hook: HookRecord,
    { target, call, contact, fields }: { target: Target; call: ReadCall; contact: Contact; fields: string[] },
  ): Promise<HookAnswer> {
    const { workspaceId, flowId, nodeId } = hook
    const scope = { workspaceId }
    const { workflow, world } = target
    const request = { hook: { nodeId, values: call.values } }
    const attempt = () =>
      transaction(async (tx) => {
        const known = await hooks.answered(scope, hook, call.key, { now: world.now, session: tx.session })
        if (known) return known
        const effects = noEffects()
        const earlier = storedStarts(runs, scope, tx)
        const batch = { world, effects, earlier, hourly: new Map<string, number>() }
        const result = await startOnRequest(workflow, contact, request, batch)
        const [run] = effects.started
        await hooks.add(
          scope,
          {
            flowId,
            nodeId,
            at: new Date(world.now),
            result: result === 'started' || result === 'held' ? result : reasonOf(result),
            fields,
            key: call.key,
            contactId: contact.id,
            ...(run && { runId: run.id }),
          },
          tx,
        )
        if (run) await runs.insert(scope, [run], tx)
        await attention.raise(scope, effects.attention, tx)
        return { run, result }
      })
    for (let tries = 1; ; tries += 1) {
      try {
        const done = await attempt()
        if ('at' in done) return await repeated(hook, done)
        if (done.run) tell(scope, [done.run])
        const { run, result } = done
        return { result: reasonOf(result), runId: run?.id ?? null, contactId: contact.id, repeated: false }
      } catch (error) {
        if (!isDuplicateKey(error) || tries === maxTries) throw error
      }
    }
  }

  async function repeated(
    scope: WorkspaceScope,
    { id, result, runId, contactId }: HookCallRecord,
  ): Promise<HookAnswer> {
    await hooks.noteRepeat(scope, id)
    return { result, runId: runId ?? null, contactId: contactId ?? null, repeated: true }
  }

  /** Keeps what was wrong for who connects the other system. That fails silently: the caller has its answer. */
  async function noteRefusal(
    hook: HookRecord,
    { error, body, time }: { error: AppError; body: Buffer; time: number },
  ): Promise<void> {
    const { flowId, nodeId } = hook
    const problem = error.message.slice(0, 300)
    await hooks
      .add(hook, { flowId, nodeId, at: new Date(time), result: 'refused', problem, fields: fieldsOf(body) })
      .catch((err: unknown) => logger.warn({ err, flowId }, 'a refused call of a hook was not kept'))
  }
}

const reasonOf = (result: Start): HookAnswer['result'] =>
  result === 'node_gone' || result === 'uncertain' || result === 'wrong_state' ? 'gone' : result
