import { maxDryRunStarts } from '@parley/contracts/automation/dry-runs'
import { isFlowKind } from '@parley/contracts/automation/flow-summary'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { FlowAction } from '@parley/flow/actions'
import { changedBy } from '@parley/flow/play-script'
import type { Person } from '@parley/flow/state'
import type { ActiveWorkflow } from '../flows/active-workflows.ts'
import { claims, stepWith } from '../runs/actions-of.ts'
import type { Todo } from '../runs/inputs.ts'
import { personOf } from '../runs/person-of.ts'
import { endRun, waitOn } from '../runs/run-places.ts'
import type { RunRecord } from '../runs/runs.service.ts'
import { startOnEvent } from '../runs/start-workflows.ts'
import { takeInput } from '../runs/take-input.ts'
import { type FlowVersion, noEffects, type World } from '../runs/world.ts'
import { createPlayCounts } from './play-counts.ts'
import { createPlayedStarts } from './played-starts.ts'

/** A run that waits, with the customer as its last input knew them and what it has changed about them. */
interface Waiting {
  readonly run: RunRecord
  readonly at: number
  readonly changes: readonly FlowAction[]
}

/** Counts of a play, in the form of its result. */
export type Played = ReturnType<ReturnType<typeof createPlayCounts>['totals']> & {
  readonly contacts: number
  /** Time of the last event, in milliseconds since 1970; 0 before the first. */
  readonly clock: number
}

/**
 * Plays a workflow over recorded events, in memory alone: the code that decides on real starts decides here, and each run follows its path
 * up to the first answer that nobody knows. It begins as if nobody had taken part before; whatever the workflow does succeeds.
 * @param world reads of settings and definitions, as they are today.
 */
export function createPlayEvents({
  workflow,
  version,
  world,
}: {
  readonly workflow: ActiveWorkflow
  readonly version: FlowVersion
  readonly world: Pick<World, 'settings' | 'attributes' | 'hours' | 'routing'>
}) {
  const { flowId } = workflow
  const starts = createPlayedStarts()
  const people = new Map<string, Person>()
  const latestIn = new Map<string, RunRecord>()
  const live = new Map<string, Set<RunRecord>>()
  const counts = createPlayCounts()
  /** Runs with a time at which something happens to them, the latest first. */
  const waiting: Waiting[] = []
  let clock = 0

  const worldAt = (now: number, isTaken = false): World => ({
    // Runs that are only played are not live.
    room: async () => ({ left: Number.POSITIVE_INFINITY, max: Number.POSITIVE_INFINITY }),
    ...world,
    now,
    workflows: async () => [workflow],
    version: async () => version,
    published: async () => version,
    program: async () => version.program,
    recentIn: async (conversationId) => latestIn.get(conversationId)?.recent ?? { sentAt: [] },
    readRecent: async () => undefined,
    otherHolder: async () => (isTaken ? {} : undefined),
  })

  const isWaiting = (run: RunRecord): boolean => run.live === true && run.state.wait?.for === 'time'

  function stay(run: RunRecord, person: Person | undefined): void {
    live.set(run.contactId, (live.get(run.contactId) ?? new Set()).add(run))
    if (person) people.set(run.contactId, person)
  }

  function leave(run: RunRecord): void {
    const all = live.get(run.contactId)
    all?.delete(run)
    if (all?.size !== 0) return
    live.delete(run.contactId)
    people.delete(run.contactId)
  }

  /** Has everything that a run has to do be done, and continues as after that. */
  async function follow(run: RunRecord, before: readonly FlowAction[], now: World): Promise<void> {
    const { todo } = run
    if (!todo) return
    counts.sent(todo)
    const changes = [...before, ...changesOf(todo, version)]
    if (todo.actions.length > 0) run.acted = true
    if (claims(todo)) run.epoch = 0
    run.todo = undefined
    run.lane = undefined
    run.retryAt = undefined
    if (todo.end) {
      const { outcome, toBot } = todo.end
      endRun(run, todo.end, now.now)
      counts.ended(run, toBot !== undefined ? 'bot' : outcome === 'failed' || outcome === 'loop' ? 'failed' : 'end')
    } else {
      await waitOn(run, now)
      if (!run.live) counts.ended(run, 'failed')
      else if (run.state.wait?.for === 'http') counts.ended(run, 'call')
      else if (run.state.wait?.for !== 'time') counts.ended(run, 'answer')
    }
    if (run.live && run.dueAt) queue({ run, at: run.dueAt.getTime(), changes })
    else leave(run)
  }

  function queue(one: Waiting): void {
    let [low, high] = [0, waiting.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((waiting[middle]?.at ?? 0) > one.at) low = middle + 1
      else high = middle
    }
    waiting.splice(low, 0, one)
  }

  /** Continues the runs whose time comes up to a moment. */
  async function wakeUntil(until: number): Promise<void> {
    for (let next = waiting.at(-1); next && next.at <= until; next = waiting.at(-1)) {
      waiting.pop()
      const { run, at, changes } = next
      const person = people.get(run.contactId)
      if (!run.live) continue
      if (!isWaiting(run) || !person) {
        // The answer that it waited for is unknown: its contact may start again once that had to be there.
        endRun(run, { outcome: 'abandoned' }, at)
        leave(run)
        continue
      }
      const now = worldAt(at)
      const input = { type: 'timer' as const, inputNo: run.state.wait?.inputNo ?? run.state.inputNo }
      await takeInput(run, { input, person: changes.reduce(changedBy, person) }, now, noEffects())
      await follow(run, changes, now)
    }
  }

  function optOut(contactId: string): void {
    for (const run of live.get(contactId) ?? []) {
      if (isWaiting(run)) counts.ended(run, 'opted_out')
      endRun(run, { outcome: 'cancelled' }, clock)
      leave(run)
    }
  }

  /** Lets the runs of a contact go on with the one that it has become; one whose place is taken there gives way. */
  function merge(contactId: string, otherId: string): void {
    const person = people.get(otherId)
    const going = [...(live.get(otherId) ?? [])]
    const hadSlot = new Set(going.filter(({ slot }) => slot !== undefined))
    for (const run of going) leave(run)
    starts.merge(contactId, otherId)
    for (const run of going) {
      if (hadSlot.has(run) && run.slot === undefined) {
        if (isWaiting(run)) counts.ended(run, 'end')
        endRun(run, { outcome: 'superseded' }, clock)
        continue
      }
      stay(run, people.get(contactId) ?? person)
    }
  }

  /** Takes the next event. @returns false once it takes no more. */
  async function play(event: RecordedEvent): Promise<boolean> {
    clock = Math.max(clock, Date.parse(event.recordedAt))
    await wakeUntil(clock)
    if (event.type === 'contact.merged' && !event.data.back) merge(event.data.contactId, event.data.otherId)
    const { contact, conversation } = event.snapshot ?? {}
    if (!contact) return true
    if (people.has(contact.id)) people.set(contact.id, personOf(contact))
    if (event.type === 'message.changed' && event.data.said?.command === 'opt_out') optOut(contact.id)
    const owner = conversation?.owner
    const now = worldAt(clock, isFlowKind(owner?.kind) && owner?.id !== flowId)
    const effects = noEffects()
    const batch = { world: now, effects, earlier: starts.earlier, hourly: new Map<string, number>() }
    for (const { result } of await startOnEvent(event, batch)) {
      counts.decided(result)
    }
    for (const run of effects.started) {
      counts.started(clock)
      starts.add(run)
      if (run.conversationId !== undefined) latestIn.set(run.conversationId, run)
      if (run.status === 'held') {
        run.todo = undefined
        counts.ended(run, 'held')
        continue
      }
      stay(run, personOf(contact))
      await follow(run, [], now)
    }
    return counts.starts() < maxDryRunStarts
  }

  /** Continues what waits up to a moment, and tells what has been. @param until milliseconds since 1970. */
  async function finish(until: number): Promise<Played> {
    await wakeUntil(until)
    for (const { run } of waiting) if (isWaiting(run)) counts.ended(run, 'waiting')
    return { ...counts.totals(), contacts: starts.contacts(), clock }
  }

  return { play, finish }
}

/** Returns what a step changes about the customer. */
const changesOf = ({ stepped }: Todo, { program }: FlowVersion): FlowAction[] =>
  stepped
    ? stepWith(program, stepped, []).actions.filter(
        ({ type }) => type === 'set_attribute' || type === 'add_tag' || type === 'remove_tag',
      )
    : []
