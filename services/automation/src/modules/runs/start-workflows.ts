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
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import { type EarlierStarts, hasStarted } from './earlier-starts.ts'
import { personOf } from './person-of.ts'
import { wakeAt } from './run-places.ts'
import type { RunRecord, StartedBy } from './runs.model.ts'
import { newRun } from './start-run.ts'
import { aboutRun, takeInput } from './take-input.ts'
import { type Effects, type FlowVersion, full, fullness, noEffects, type World } from './world.ts'

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

/** Records that starts of workflows read and change. */
interface Batch {
  readonly world: World
  readonly effects: Effects
  readonly earlier: EarlierStarts
  /** Starts of workflows within an hour before this batch, as far as they were counted. */
  readonly hourly: Map<string, number>
}

/** Result of a start: what is left out is counted by its reason. */
export type Start = 'started' | 'held' | SkipReason

/** Decision on one workflow for which an event has something: `chain` and `number` start nothing, as the other reasons. */
export interface Decision {
  readonly flowId: string
  readonly result: Start | 'chain' | 'number'
}

/**
 * Starts what waits for an event, each workflow at most once for it, within its rules of enrolment and its limits; in the transaction
 * that moves the cursor.
 */
export async function startOnEvent(event: RecordedEvent, batch: Batch): Promise<Decision[]> {
  const happenings = happeningsOf(event)
  if (!event.snapshot || happenings.length === 0) return []
  const decisions: Decision[] = []
  for (const workflow of await batch.world.workflows()) {
    const wanted = happenings.filter(({ event: name }) => workflow.events.has(name))
    if (wanted.length === 0) continue
    decisions.push({ flowId: workflow.flowId, result: await decide(workflow, wanted, event, batch) })
  }
  return decisions
}

/** @param wanted what has happened in the event that the workflow has triggers for. */
async function decide(
  workflow: ActiveWorkflow,
  wanted: readonly Happening[],
  event: RecordedEvent,
  batch: Batch,
): Promise<Decision['result']> {
  const { contact, conversation } = event.snapshot ?? {}
  if (workflow.numberIds.length > 0 && !workflow.numberIds.includes(conversation?.numberId ?? '')) return 'number'
  const version = await batch.world.published(workflow.flowId)
  if (!version || !contact) return 'gone'
  for (const happening of wanted) {
    const { event: name, detail } = happening
    const startedBy = { eventId: event.id, event: name, by: event.by.kind, ...(detail && { detail }) }
    const chain = [...event.chain, event.id].slice(-maxChain)
    const run = await drawn(version, { contact, conversation, startedBy, happening, chain }, batch)
    if (run) return (await mayFollow(workflow, event, batch)) ? enrol(workflow, run, batch) : 'chain'
  }
  return 'filter'
}

/** Starts a workflow for a contact because a member or a program says so, a schedule, or a call: nothing has led to it. */
export async function startOnRequest(
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
async function mayFollow({ flowId }: ActiveWorkflow, { by, chain }: RecordedEvent, { earlier }: Batch) {
  if ((by.kind === 'workflow' && by.id === flowId) || chain.length >= maxChain) return false
  return chain.length === 0 || !(await earlier.isStartedBy(flowId, chain))
}

/** Starts a run unless its contact has one already; above the limits it is held for a person. */
async function enrol(
  { flowId, enrolment }: ActiveWorkflow,
  { run, effects }: { run: RunRecord; effects: Effects },
  { world, effects: all, earlier, hourly }: Batch,
): Promise<Start> {
  const { contactId } = run
  const { reEnrolment, coolDownSeconds, startsPerHour, perContactPerHour } = enrolment
  const begun = all.started.filter((one) => one.flowId === flowId)
  const ofContact = begun.filter((one) => one.contactId === contactId)
  const whileLive = reEnrolment === 'when_finished'
  const { takesPart, lastAt = 0 } = await earlier.enrolled({ flowId, contactId, whileLive })
  const last = Math.max(lastAt, ...ofContact.map(({ createdAt }) => createdAt.getTime()))
  if (reEnrolment !== 'always' && (takesPart || ofContact.some(({ slot }) => slot !== undefined))) return 'enrolled'
  if (last > world.now - coolDownSeconds * 1000) return 'cool_down'
  if (reEnrolment !== 'always') run.slot = reEnrolment === 'never' ? 'once' : 'live'
  const refusal = await fullness(world, all.started.length)
  if (refusal !== undefined) {
    all.attention.push(full(refusal))
    return 'limit_reached'
  }
  const since = new Date(world.now - hourMs)
  const before = hourly.get(flowId) ?? (await earlier.countStarts({ flowId, since, limit: startsPerHour }))
  hourly.set(flowId, before)
  const ofOne = await earlier.countStarts({ flowId, contactId, since, limit: perContactPerHour })
  if (ofContact.filter(hasStarted).length + ofOne >= perContactPerHour)
    hold(run, `It has started ${perContactPerHour} times within an hour for this contact.`, { world, effects })
  else if (begun.filter(hasStarted).length + before >= startsPerHour)
    hold(run, `It has started ${startsPerHour.toLocaleString('en')} times within an hour.`, { world, effects })
  all.started.push(run)
  all.attention.push(...effects.attention)
  return run.status === 'held' ? 'held' : 'started'
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
  const triggerId = asked ?? program.events[0]?.nodeId ?? ''
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
  run.heldBack = true
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
