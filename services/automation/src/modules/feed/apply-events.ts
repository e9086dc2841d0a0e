import type { RecordedEvent } from '@parley/contracts/platform/events'
import { matchTrigger } from '@parley/flow/keywords'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import { type EarlierStarts, storedStarts } from '../runs/earlier-starts.ts'
import { giveItem, leaveUnheard } from '../runs/give-item.ts'
import type { InboundMessage } from '../runs/inputs.ts'
import { personOf } from '../runs/person-of.ts'
import { isIdleOwner } from '../runs/run-places.ts'
import type { RunRecord } from '../runs/runs.service.ts'
import { routeMessage, saidOf } from '../runs/start-run.ts'
import { type Decision, startOnEvent } from '../runs/start-workflows.ts'
import { leaveUndelivered, noteUndelivered } from '../runs/undelivered.ts'
import { type Effects, noEffects, type World } from '../runs/world.ts'
import { type ContactDependencies, createContactChanges, type RunChanges } from './contact-changes.ts'
import { toMessage, toOwnerChange } from './to-item.ts'

/** Messages that are applied later than this start no bot: the customer has gone on meanwhile. */
const lateMs = 3_600_000
/** A person who writes so soon after a session had to do what it should have done. */
const followUpMs = 24 * 3_600_000

/** Everything that one batch of events changes. */
export interface Applied {
  readonly changed: readonly RunRecord[]
  /** Those with new work, which is leased. */
  readonly leased: readonly RunRecord[]
  readonly effects: Effects
  /** Decisions of workflows on these events. */
  readonly decisions: readonly Decision[]
}

interface Batch extends RunChanges {
  readonly earlier: EarlierStarts
  /** Starts of workflows within an hour, as far as they were counted. */
  readonly hourly: Map<string, number>
}

/** Applies events to sessions, in the transaction that moves the cursor. */
export function createApplyEvents({
  runs,
  attention,
  ...contactDependencies
}: ContactDependencies & { attention: Pick<AttentionService, 'raise'> }) {
  const contacts = createContactChanges({ runs, attention, ...contactDependencies })

  /** @param events with the whole texts of their messages. */
  async function applyEvents(
    scope: WorkspaceScope,
    events: readonly RecordedEvent[],
    { world, leaseEnds, tx }: { world: World; leaseEnds: number | undefined; tx: Session },
  ): Promise<Applied> {
    const found = await runs.liveOf(scope, contactsIn(events), tx)
    const live = new Map(found.map((run) => [run.id, run]))
    const batch: Batch = {
      scope,
      live,
      touched: new Set(),
      effects: noEffects(),
      world,
      tx,
      earlier: storedStarts(runs, scope, tx),
      hourly: new Map(),
    }
    const decisions: Decision[] = []
    await world.readRecent(await startingIn(events, batch))
    for (const event of events) {
      await applyEvent(event, batch)
      decisions.push(...(await startOnEvent(event, batch)))
      for (const run of batch.effects.started) batch.live.set(run.id, run)
    }
    freePassed(batch)
    const started = new Set(batch.effects.started)
    const changed = [...batch.touched].filter((run) => !started.has(run))
    const leased = leaseEnds === undefined ? [] : [...changed, ...started].filter((run) => isNew(run, world))
    for (const run of leased) run.retryAt = new Date(leaseEnds ?? world.now)
    if ((await runs.save(scope, changed, tx)) !== changed.length) throw new Error('a run was changed meanwhile')
    if (started.size > 0) await runs.insert(scope, batch.effects.started, tx)
    await attention.raise(scope, batch.effects.attention, tx)
    return { changed: [...changed, ...started], leased, effects: batch.effects, decisions }
  }

  async function applyEvent(event: RecordedEvent, batch: Batch): Promise<void> {
    switch (event.type) {
      case 'message.changed':
        return event.data.said ? applyMessage(event, batch) : applyDelivery(event, batch)
      case 'conversation.changed':
        return applyConversation(event, batch)
      case 'contact.erased':
        return contacts.erase(event.data, batch)
      case 'contact.merged':
        return contacts.merge(event.data, batch)
      default:
    }
  }

  async function applyMessage(event: RecordedEvent, batch: Batch): Promise<void> {
    const { world, effects } = batch
    const conversationId = event.snapshot?.conversation?.id ?? ''
    const message = toMessage(event)
    if (!message) return optOut(event, batch)
    const there = runsAt(batch, message)
    for (const run of there) {
      // One that goes on behind the people who have the conversation may wait for a reply, too.
      if (run.holds || (run.status === 'waiting' && run.state.wait?.for !== 'reply')) continue
      await give(run, message, batch)
    }
    const holder = there.find(({ holds }) => holds)
    if (holder) {
      moveTo(holder, message)
      await give(holder, message, batch)
      return
    }
    if (message.context.isHeld) return
    if (world.now - message.at > lateMs) {
      effects.passed.add(conversationId)
      const sentence = 'A message could not be handled within an hour: no bot has answered it. Read it and answer.'
      effects.attention.push({ code: 'late', sentence, conversationId, groupKey: `late:${conversationId}` })
      return
    }
    if (!(await routeMessage(message, world, effects))) effects.passed.add(conversationId)
  }

  /** A customer who opts out ends all of their sessions: what they wrote is answered by the rules of consent alone. */
  async function optOut(event: RecordedEvent, { live, world, effects, touched }: Batch): Promise<void> {
    if (event.type !== 'message.changed' || event.data.said?.command !== 'opt_out') return
    for (const run of live.values()) {
      if (!run.live || run.contactId !== event.snapshot?.contact.id) continue
      await giveItem(run, { kind: 'opted_out' }, world, effects)
      touched.add(run)
    }
  }

  /** A message of ours that failed, or was taken back: the customer never saw the question. */
  async function applyDelivery(event: RecordedEvent, batch: Batch): Promise<void> {
    if (event.type !== 'message.changed' || !event.snapshot) return
    const { messageId, status, takenBack } = event.data
    if (status !== 'failed' && !takenBack) return
    const { contact, conversation } = event.snapshot
    const [sent] = await runs.stepsThatSent(batch.scope, [messageId], batch.tx)
    if (sent) await runs.markUndelivered(batch.scope, sent.id, batch.tx)
    if (sent && !batch.live.get(sent.runId)?.live && !conversation?.held) {
      const ended = await noteUndelivered(runs, batch.scope, { id: sent.runId, ...batch.tx })
      if (ended) leaveUndelivered(ended, sent.nodeId, batch.effects)
    }
    for (const run of batch.live.values()) {
      // Steps are written before what was to be done is put away: of a message without one, a run that is at work may be the sender.
      const isSender = sent ? run.id === sent.runId : run.todo !== undefined && run.contactId === contact.id
      if (!run.live || !isSender) continue
      const item = { kind: 'not_delivered' as const, messageId, person: personOf(contact) }
      await giveItem(run, { ...item, ...(sent && { nodeId: sent.nodeId }) }, batch.world, batch.effects)
      batch.touched.add(run)
    }
  }

  async function applyConversation(event: RecordedEvent, batch: Batch): Promise<void> {
    const change = toOwnerChange(event)
    const conversationId = event.snapshot?.conversation?.id ?? event.conversationId
    if (!change || conversationId === undefined) return
    for (const run of batch.live.values()) {
      if (!run.live || run.conversationId !== conversationId || change.runId === run.id) continue
      await giveItem(run, change, batch.world, batch.effects)
      batch.touched.add(run)
    }
    if (change.reason === 'replied' || change.reason === 'phone')
      await runs.noteFollowUp(batch.scope, [conversationId], new Date(Date.parse(event.at) - followUpMs), batch.tx)
  }

  return { applyEvents }
}

/** Returns whether a run has got something to do by what is being applied. */
const isNew = ({ todo, lane }: RunRecord, { now }: World): boolean => lane !== undefined && todo?.since === now

/** Conversations in which sessions begin. */
async function startingIn(events: readonly RecordedEvent[], { live, world }: Batch): Promise<string[]> {
  const held = new Set([...live.values()].flatMap(({ holds, conversationId }) => (holds ? conversationId : [])))
  const starting = new Set<string>()
  for (const event of events) {
    const message = toMessage(event)
    if (!message || message.context.isHeld || held.has(message.context.conversationId)) continue
    if (matchTrigger(await world.routing(), saidOf(message))) starting.add(message.context.conversationId)
  }
  return [...starting]
}

/** Frees conversations that are for people of a run that owns them without listening, unless another one listens. */
function freePassed({ live, touched, world, effects }: Batch): void {
  const there = [...live.values()].filter((run) => run.live && effects.passed.has(run.conversationId ?? ''))
  const held = new Set(there.flatMap(({ holds, conversationId }) => (holds ? conversationId : [])))
  for (const run of there) {
    if (held.has(run.conversationId) || !isIdleOwner(run)) continue
    leaveUnheard(run, world, effects)
    touched.add(run)
  }
}

async function give(run: RunRecord, message: InboundMessage, { world, effects, touched }: Batch): Promise<void> {
  await giveItem(run, message, world, effects)
  touched.add(run)
}

/** Live runs of a message's customer at its number: its thread is another one where contacts were merged. */
const runsAt = ({ live }: Batch, { context }: InboundMessage): RunRecord[] =>
  [...live.values()].filter(
    (run) => run.live && run.contactId === context.contactId && run.numberId === context.numberId,
  )

/** Lets a run go on in another thread, which it claims before it says something. */
function moveTo(run: RunRecord, { context }: InboundMessage): void {
  if (run.conversationId === context.conversationId) return
  run.conversationId = context.conversationId
  run.epoch = undefined
}

const contactsIn = (events: readonly RecordedEvent[]): string[] => {
  const named = events.flatMap((event) => {
    const merged = event.type === 'contact.merged' ? [event.data.contactId, event.data.otherId] : []
    const erased = event.type === 'contact.erased' ? [event.data.contactId] : []
    return [event.snapshot?.contact.id ?? [], event.contactId ?? [], merged, erased].flat()
  })
  return [...new Set(named)]
}
