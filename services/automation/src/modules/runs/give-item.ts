import { waitsForMore } from '@parley/flow/interpreter'
import { matchTrigger } from '@parley/flow/keywords'
import { type InboundMessage, type InboxItem, maxInbox, type OwnerChange, type RunEnd } from './inputs.ts'
import { leaveToPeople, leftOf } from './left-messages.ts'
import { isEchoing, recordText } from './loop-limits.ts'
import { askedByAnother, endRun, letGo, waitOn } from './run-places.ts'
import type { RunRecord } from './runs.model.ts'
import { begunBy, collect, inputOf, type MessageInput, routeMessage, saidOf, startRun, tapOf } from './start-run.ts'
import { aboutRun, endForOptOut, stopLoop, takeInput } from './take-input.ts'
import { type Effects, factsFor, type World } from './world.ts'

/** Maximum fragments of free text that form one input. */
const maxFragments = 20

/** Gives an input to a run; while it has other work, or is held, the input waits. */
export async function giveItem(run: RunRecord, item: InboxItem, world: World, effects: Effects): Promise<void> {
  const isHeld = run.status === 'held' && item.kind === 'message'
  // Messages that come meanwhile are read with the answer of the other system at hand.
  const isCalling = run.holds === true && item.kind === 'message' && awaitsCall(run)
  if (!run.todo && !isHeld && !isCalling) return handle(run, item, { world, effects, later: [] })
  if (isHeld) {
    // It waits for a person, not for this message.
    if (!run.holds) return
    effects.attention.push(writtenTo(run))
  }
  const [oldest, ...others] = run.inbox.filter(({ kind }) => kind === item.kind)
  if (others.length + 1 < maxInbox || item.kind === 'http_answer') {
    run.inbox = [...run.inbox, item]
    return
  }
  // Only the last change of owner counts.
  if (item.kind === 'owned') run.inbox = [...run.inbox.filter((one) => one !== oldest), item]
  if (item.kind !== 'message') return
  run.missed = true
  const sentence = `More than ${maxInbox} messages came while the bot was busy. Read what was not answered.`
  effects.attention.push({ ...aboutRun(run), code: 'inbox_full', sentence })
}

/** Attention for a customer who writes to a held session. */
const writtenTo = (run: RunRecord) => {
  const sentence = 'The customer writes, and the session is held. Let it go on, or end it.'
  return { ...aboutRun(run), code: 'held', sentence, groupKey: `held:${run.id}` }
}

/** Has a run that owns a conversation without listening leave it to people: they are to answer what the customer has written. */
export function leaveUnheard(run: RunRecord, world: World, effects: Effects): void {
  run.missed = true
  if (run.status === 'held') effects.attention.push(writtenTo(run))
  else if (!run.todo) letGo(run, world.now)
}

/** Returns whether a run waits for another system. */
export const awaitsCall = ({ status, state }: Pick<RunRecord, 'status' | 'state'>): boolean =>
  status === 'waiting' && state.wait?.for === 'http'

/** Has a run without other work take an input. @param later those of its inbox that came after it. */
export async function handle(
  run: RunRecord,
  item: InboxItem,
  { world, effects, later }: { world: World; effects: Effects; later: readonly InboxItem[] },
): Promise<void> {
  if (item.kind === 'message') return handleMessage(run, item, world, effects)
  if (item.kind === 'owned') return handleOwner(run, item, { world, effects, later })
  if (item.kind === 'opted_out') return endForOptOut(run, world.now)
  if (item.kind === 'http_answer') {
    const { kind: type, person, ...answer } = item
    await takeInput(run, { input: { type, ...answer }, person }, world, effects)
    return
  }
  const { wait, nodeId } = run.state
  if (run.status !== 'waiting' || !wait || nodeId !== item.nodeId) return
  const input = { type: 'not_delivered' as const, inputNo: wait.inputNo }
  await takeInput(run, { input, person: item.person }, world, effects)
}

/**
 * A change of owner that this run has not caused ends it: people have the conversation, or another run. What came before its own
 * claim does not. One that continues behind people knows epochs of theirs, and ends when one of them writes.
 */
async function handleOwner(
  run: RunRecord,
  { epoch, reason, runId }: OwnerChange,
  { world, effects, later }: { world: World; effects: Effects; later: readonly InboxItem[] },
): Promise<void> {
  if (runId === run.id) return
  // A workflow that has not claimed the conversation goes on beside whoever has it.
  if (run.kind === 'workflow' && run.epoch === undefined) return
  const isWritten = reason === 'replied' || reason === 'phone'
  const isOlder = run.epoch !== undefined && epoch <= run.epoch
  const isBehindPeople = run.left || run.state.assigned
  if (isOlder && !(isWritten && isBehindPeople)) return
  if (!run.holds && reason === 'assigned') {
    run.epoch = epoch
    return
  }
  const end =
    reason === 'bot' ? { outcome: 'superseded' as const, reason: askedByAnother } : { outcome: 'taken_over' as const }
  await endLeaving(run, end, { world, effects, ...(reason === 'closed' && { reopening: later }) })
}

/**
 * Ends a run to which somebody else has put an end. What waited in it goes to people, unless these have the conversation anyway.
 * @param how.reopening inputs that came after the conversation was closed, where it was: they are for the bot that wants them, and what
 * came before is settled.
 */
export async function endLeaving(
  run: RunRecord,
  end: RunEnd,
  { world, effects, reopening }: { world: World; effects: Effects; reopening?: readonly InboxItem[] | undefined },
): Promise<void> {
  const left = leftOf(run).filter((message) => reopening?.includes(message) ?? true)
  endRun(run, end, world.now)
  const [first, ...rest] = left
  const next = first && reopening && !first.context.isHeld ? await routeMessage(first, world, effects) : undefined
  if (!next) leaveToPeople(left, effects)
  else for (const message of rest) await giveItem(next, message, world, effects)
}

async function handleMessage(run: RunRecord, message: InboundMessage, world: World, effects: Effects): Promise<void> {
  run.recent = recordText(run.recent, message.part.text, message.at)
  if (isEchoing(run.recent)) return stopLoop(run, world, effects)
  const match = tapOf(run, message) ? undefined : matchTrigger(await world.routing(), saidOf(message))
  const isInterrupting = run.holds === true && match?.interrupts === true && match.match !== 'any_message'
  if (run.collect) return addFragment(run, isInterrupting, message, { world, effects })
  if (isInterrupting) {
    const started = await startRun(message, match, world, effects)
    if (started) {
      const { inbox } = run
      endRun(run, { outcome: 'superseded' }, world.now)
      for (const item of inbox) if (item.kind === 'message') await giveItem(started, item, world, effects)
      return
    }
  }
  const version = await world.version(run.flowId, run.number)
  const input = inputOf(run, message)
  const { collectSeconds = 0 } = version?.settings ?? {}
  if (version && collectSeconds > 0) {
    const facts = await factsFor(version, message, world)
    if (waitsForMore(version.program, run.state, input, facts)) {
      collect(run, begunBy(message, input, world.now), collectSeconds, world.now)
      return
    }
  }
  const isTaken = await takeInput(run, { input, person: message.person, message }, world, effects)
  // The run waits for something else: people read the message.
  if (!isTaken && run.holds) run.missed = true
}

/** Adds a fragment of a customer's text: it forms one input with the text before, unless it is complete in itself. */
async function addFragment(
  run: RunRecord,
  isInterrupting: boolean,
  message: InboundMessage,
  { world, effects }: { world: World; effects: Effects },
): Promise<void> {
  const { collect: collected } = run
  if (!collected) return
  const version = isInterrupting ? undefined : await world.version(run.flowId, run.number)
  const input = inputOf(run, message, collected.triggerId)
  const facts = version && (await factsFor(version, message, world))
  const isMore = version && facts && waitsForMore(version.program, run.state, input, facts)
  if (!isMore) {
    await applyCollected(run, world, effects)
    return giveItem(run, message, world, effects)
  }
  const parts = [...collected.parts, ...input.parts]
  const eventIds = collected.eventIds && [...collected.eventIds, message.eventId]
  collect(
    run,
    { ...collected, parts, eventIds, upTo: message.messageId },
    version.settings?.collectSeconds ?? 0,
    world.now,
  )
  if (parts.length >= maxFragments) await applyCollected(run, world, effects)
}

/** Ends the collecting of fragments: they are one input. */
export async function applyCollected(run: RunRecord, world: World, effects: Effects): Promise<void> {
  const { collect: collected } = run
  if (!collected) return
  const { parts, eventIds, first, upTo, triggerId } = collected
  const input: MessageInput = { type: 'message', parts, ...(triggerId !== undefined && { triggerId }) }
  const isStart = triggerId === undefined ? undefined : (true as const)
  run.collect = undefined
  const received = { input, person: first.person, message: first, upTo, eventIds, isStart }
  if (await takeInput(run, received, world, effects)) return
  // The trigger was removed meanwhile: no bot has claimed the conversation.
  if (isStart) {
    effects.passed.add(run.conversationId ?? '')
    endRun(run, { outcome: 'cancelled' }, world.now)
  } else {
    run.missed = true
    await waitOn(run, world)
  }
}
