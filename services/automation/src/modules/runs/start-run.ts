import type { FlowInput } from '@parley/flow/inputs'
import { waitsForMore } from '@parley/flow/interpreter'
import { type Match, matchTrigger, type Said } from '@parley/flow/keywords'
import { idleState } from '@parley/flow/state'
import { newId } from '@parley/service-kit/data/plain'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { InboundMessage } from './inputs.ts'
import { isEchoing, recordText } from './loop-limits.ts'
import { heardPart } from './part-of.ts'
import { wakeAt } from './run-places.ts'
import type { Collected, RunRecord } from './runs.model.ts'
import { loopNotice, takeInput } from './take-input.ts'
import { type Effects, factsFor, full, fullness, type World } from './world.ts'

/** Starts a session by a message. @returns `undefined` where its bot or trigger is gone, another machine writes, or too many are live. */
export async function startRun(
  message: InboundMessage,
  match: Match,
  world: World,
  effects: Effects,
): Promise<RunRecord | undefined> {
  const version = await world.published(match.flowId)
  if (!version) return undefined
  const refusal = await fullness(world, effects.started.length)
  if (refusal !== undefined) {
    effects.attention.push(full(refusal))
    return undefined
  }
  const startedBy = { eventId: message.eventId, triggerId: match.nodeId }
  const recent = recordText(await world.recentIn(message.context.conversationId), message.part.text, message.at)
  if (isEchoing(recent)) {
    effects.attention.push(
      loopNotice({ flowId: version.flowId, conversationId: message.context.conversationId }, world.now),
    )
    return undefined
  }
  const { flowId, number } = version
  const run = newRun(message.context, { kind: 'bot', flowId, number, startedBy, recent }, world.now)
  const input = inputOf(run, message, match.nodeId)
  const facts = await factsFor(version, message, world)
  const { collectSeconds = 0 } = version.settings ?? {}
  if (collectSeconds > 0 && waitsForMore(version.program, run.state, input, facts))
    collect(run, { ...begunBy(message, input, world.now), triggerId: match.nodeId }, collectSeconds, world.now)
  else if (!(await takeInput(run, { input, person: message.person, message, isStart: true }, world, effects)))
    return undefined
  effects.started.push(run)
  return run
}

/** A run before anything has happened in it; that of a bot keeps the conversation for itself from the beginning. */
export function newRun(
  context: Pick<RunRecord, 'contactId' | 'conversationId' | 'numberId' | 'chain'> & { readonly contactName: string },
  of: Pick<RunRecord, 'kind' | 'flowId' | 'number' | 'startedBy' | 'recent'>,
  now: number,
): RunRecord {
  return {
    id: newId(),
    workspaceId: '',
    kind: of.kind,
    flowId: of.flowId,
    number: of.number,
    contactId: context.contactId,
    home: String(laneOf(context.contactId)),
    contactName: context.contactName.slice(0, 120),
    conversationId: context.conversationId,
    numberId: context.numberId,
    status: 'working',
    live: true,
    ...(of.kind === 'bot' && { holds: true as const }),
    state: idleState,
    steps: 0,
    path: [],
    inbox: [],
    startedBy: of.startedBy,
    chain: context.chain,
    legs: [],
    recent: of.recent,
    createdAt: new Date(now),
    version: 1,
  }
}

/** Gives a message that no run has taken to the bot that wants it. @returns whether there was one. */
export async function routeMessage(
  message: InboundMessage,
  world: World,
  effects: Effects,
): Promise<RunRecord | undefined> {
  const match = matchTrigger(await world.routing(), saidOf(message))
  return match && startRun(message, match, world, effects)
}

/** Maximum milliseconds that free text waits for more of it after the first fragment. */
const maxCollectMs = 15_000

/** Free text that begins with a message. */
export const begunBy = (message: InboundMessage, { parts }: MessageInput, now: number): Collected => ({
  parts,
  eventIds: [message.eventId],
  first: message,
  upTo: message.messageId,
  since: now,
})

/** Lets a run wait for more text of a customer. */
export function collect(run: RunRecord, collected: Collected, seconds: number, now: number): void {
  run.status = 'collecting'
  run.collect = collected
  wakeAt(run, 'collect', Math.min(now + seconds * 1000, collected.since + maxCollectMs))
}

/** Returns the tapped option where this run has asked. */
export function tapOf(run: RunRecord, { choice }: InboundMessage): { inputNo: number; id: string } | undefined {
  const [, runId, inputNo, id] = /^([0-9a-f]{24})\.(\d{1,9})\.(.+)$/.exec(choice ?? '') ?? []
  return runId === run.id && id !== undefined ? { inputNo: Number(inputNo), id } : undefined
}

export type MessageInput = Extract<FlowInput, { type: 'message' }>

export function inputOf(run: RunRecord, message: InboundMessage, triggerId?: string): MessageInput {
  const choice = tapOf(run, message)
  return {
    type: 'message',
    parts: [heardPart(message.part, { names: message.choice, choice })],
    ...(choice && { choice }),
    ...(triggerId !== undefined && { triggerId }),
  }
}

export const saidOf = ({ part, isFirst, context }: InboundMessage): Said => ({
  numberId: context.numberId,
  text: part.text,
  contentType: part.contentType,
  isFirst: isFirst === true,
})
