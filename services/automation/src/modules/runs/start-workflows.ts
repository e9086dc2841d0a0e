import type { SkipReason } from '@parley/contracts/automation/flow-jobs'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import {
  type Happening,
  happeningsOf,
  startedByHand,
  startedByHook,
  startedBySchedule,
} from '@parley/flow/workflow-events'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import { personOf } from './person-of.ts'
import { wakeAt } from './run-places.ts'
import type { RunRecord, StartedBy } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { newRun } from './start-run.ts'
import { aboutRun, takeInput } from './take-input.ts'
import { type Effects, type FlowVersion, noEffects, type World } from './world.ts'

/** Automations that led to an event at most: what follows from one more starts nothing. */
const maxChain = 5
const hourMs = 3_600_000
const maxLifeMs = 60 * 24 * hourMs

/** A contact about whom a workflow may start, and why. */
interface Occasion {
  readonly contact: { readonly id: string; readonly name: string } & Parameters<typeof personOf>[0]
  readonly conversation?: { readonly id: string; readonly numberId: string } | undefined
  readonly startedBy: Omit<StartedBy, 'triggerId'>
  readonly happening: Happening
  readonly chain: readonly string[]
}

/** Reason for which a workflow starts without an event: a time of its schedule, a call to its address, or else a member or a program. */
interface Request {
  readonly hook?: Parameters<typeof startedByHook>[1] | undefined
  readonly schedule?: { readonly nodeId: string; readonly slot: string } | undefined
  readonly by?: 'user' | 'api_key' | undefined
}

/** What starts of workflows read and change. */
interface Batch {
  readonly scope: WorkspaceScope
  readonly world: World
  readonly effects: Effects
  readonly tx: Session
  /** Starts of workflows within an hour before this batch, as far as they were counted. */
  readonly hourly: Map<string, number>
}

/** Result of a start: what is left out is counted by its reason. */
export type Start = 'started' | 'held' | SkipReason

type Reads = Pick<RunsRepository, 'enrolled' | 'countStarts' | 'isStartedBy'>

/** Starts workflows on events, and on request: each at most once for an event, within its rules of enrolment and its limits. */
export function createStartWorkflows(runs: Reads) {
  /** Starts what waits for an event, in the transaction that moves the cursor. */
  async function onEvent(event: RecordedEvent, batch: Batch): Promise<void> {
    const { contact, conversation } = event.snapshot ?? {}
    const happenings = happeningsOf(event)
    if (!contact || happenings.length === 0) return
    for (const workflow of await batch.world.workflows()) {
      const wanted = happenings.filter(({ event: name }) => workflow.events.has(name))
      const isElsewhere = workflow.numberIds.length > 0 && !workflow.numberIds.includes(conversation?.numberId ?? '')
      if (wanted.length === 0 || isElsewhere) continue
      const version = await batch.world.published(workflow.flowId)
      if (!version) continue
      for (const happening of wanted) {
        const { event: name, detail } = happening
        const startedBy = { eventId: event.id, event: name, by: event.by.kind, ...(detail && { detail }) }
        const occasion = {
          contact,
          conversation,
          startedBy,
          happening,
          chain: [...event.chain, event.id].slice(-maxChain),
        }
        const run = await drawn(version, occasion, batch)
        if (!run) continue
        if (await mayFollow(workflow, event, batch)) await enrol(workflow, run, batch)
        break
      }
    }
  }

  /** Starts a workflow for a contact because a member or a program says so, a schedule, or a call: nothing has led to it. */
  async function onRequest(
    workflow: ActiveWorkflow,
    contact: Contact,
    { schedule, hook, by = 'user' }: Request,
    batch: Batch,
  ): Promise<Start> {
    const version = await batch.world.published(workflow.flowId)
    if (!version) return 'gone'
    const eventId = newId()
    const happening = schedule
      ? startedBySchedule(contact, schedule)
      : hook
        ? startedByHook(contact, hook)
        : startedByHand(contact, by)
    const { event, detail } = happening
    const startedBy = schedule || hook ? { eventId, event, ...(detail && { detail }) } : { eventId, event, by }
    const occasion = { contact, startedBy, happening, chain: [eventId] }
    const run = await drawn(version, occasion, batch)
    return run ? enrol(workflow, run, batch) : 'filter'
  }

  /** Returns whether an event is not the workflow's own doing, nor that of too many automations in a row. */
  async function mayFollow({ flowId }: ActiveWorkflow, { by, chain }: RecordedEvent, { scope, tx }: Batch) {
    if ((by.kind === 'workflow' && by.id === flowId) || chain.length >= maxChain) return false
    return chain.length === 0 || !(await runs.isStartedBy(scope, flowId, chain, tx))
  }

  /** Starts a run unless its contact has one already; above the limits it is held for a person. */
  async function enrol(
    { flowId, enrolment }: ActiveWorkflow,
    { run, effects }: { run: RunRecord; effects: Effects },
    { scope, world, effects: all, tx, hourly }: Batch,
  ): Promise<Start> {
    const { contactId } = run
    const { reEnrolment, coolDownSeconds, startsPerHour, perContactPerHour } = enrolment
    const begun = all.started.filter((one) => one.flowId === flowId)
    const ofContact = begun.filter((one) => one.contactId === contactId)
    const { hasSlot, lastAt = 0 } = await runs.enrolled(scope, flowId, contactId, tx)
    const last = Math.max(lastAt, ...ofContact.map(({ createdAt }) => createdAt.getTime()))
    if (reEnrolment !== 'always' && (hasSlot || ofContact.some(({ slot }) => slot !== undefined))) return 'enrolled'
    if (last > world.now - coolDownSeconds * 1000) return 'cool_down'
    if (reEnrolment !== 'always') run.slot = reEnrolment === 'never' ? 'once' : 'live'
    const since = new Date(world.now - hourMs)
    const ofOne = { flowId, contactId, since, limit: perContactPerHour }
    const before = hourly.get(flowId) ?? (await runs.countStarts(scope, { flowId, since, limit: startsPerHour }, tx))
    hourly.set(flowId, before)
    if (ofContact.length + (await runs.countStarts(scope, ofOne, tx)) >= perContactPerHour)
      hold(run, `It has started ${perContactPerHour} times within an hour for this contact.`, { world, effects })
    else if (begun.length + before >= startsPerHour)
      hold(run, `It has started ${startsPerHour.toLocaleString('en')} times within an hour.`, { world, effects })
    all.started.push(run)
    all.attention.push(...effects.attention)
    return run.status === 'held' ? 'held' : 'started'
  }

  return { onEvent, onRequest }
}

/** Returns the run that an occasion would begin; `undefined` where no trigger of the version fits. */
async function drawn(
  { flowId, number, program }: FlowVersion,
  { contact, conversation, startedBy, happening, chain }: Occasion,
  { world }: Pick<Batch, 'world'>,
): Promise<{ run: RunRecord; effects: Effects } | undefined> {
  const place = conversation && { conversationId: conversation.id, numberId: conversation.numberId }
  const recent = conversation ? await world.recentIn(conversation.id) : { sentAt: [] }
  const { event, fields, values, triggerId: asked } = happening
  const named = program.events.find(
    ({ nodeId, settings }) => settings.event === event && (asked === undefined || asked === nodeId),
  )
  const triggerId = (named ?? program.events[0])?.nodeId ?? ''
  const run = newRun(
    { contactId: contact.id, contactName: contact.name, chain, ...place },
    { kind: 'workflow', flowId, number, startedBy: { ...startedBy, triggerId }, recent },
    world.now,
  )
  const effects = noEffects()
  const more = { ...(asked !== undefined && { triggerId: asked }), ...(values && { values }) }
  const input = { type: 'event' as const, event, fields, ...more }
  const isTaken = await takeInput(run, { input, person: personOf(contact) }, world, effects)
  return isTaken ? { run, effects } : undefined
}

/** Has a run wait for a person before its first action. */
function hold(run: RunRecord, reason: string, { world, effects }: Pick<Batch, 'world' | 'effects'>): void {
  run.status = 'held'
  run.reason = reason
  run.lane = undefined
  run.retryAt = undefined
  wakeAt(run, 'end', world.now + maxLifeMs)
  const sentence = `${reason} Further starts are held: let them go on, or end them.`
  effects.attention.push({
    ...aboutRun(run),
    nodeId: undefined,
    code: 'held',
    sentence,
    groupKey: `starts:${run.flowId}`,
  })
}
