import { randomUUID } from 'node:crypto'
import type { Clock } from '@parley/service-kit/core/clock'
import type { Logger } from '@parley/service-kit/core/logger'
import { inStoredTrace } from '@parley/service-kit/core/tracing'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { isRefusedForFile } from '../../../whatsapp/error-codes.ts'
import { sendBody } from '../../../whatsapp/send-body.ts'
import type { SendOutcome } from '../../../whatsapp/send-call.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { Capacity, Outbox, SendingNumber } from '../../inbox/messages/outbox.ts'
import type { OutgoingService } from '../../inbox/messages/outgoing.service.ts'
import { type AwaitFiles, lookAgainMs } from '../recipient-files/await-files.ts'
import type { Gate, Judged } from './gate.ts'
import type { SendTargets, Target } from './send-targets.ts'
import { failed, held, skipped } from './settlements.ts'
import type { Settling } from './settling.ts'
import type { Ready, WithinLimits } from './within-limits.ts'

/** Messages of a batch: small, so that few are in doubt when the process dies. */
const batchSize = 128
/** Maximum calls in flight: as many as connections, since a call that waits for one would be in doubt as well. */
const maxInFlight = 320
/** Part of `maxInFlight` reserved for replies. */
const keptForReplies = 64
/** Room below which others wait: a batch costs the same reads and writes for one message as for many. */
const smallestRoom = 64
/** Longer than a call may take: the process that sent it has recorded it by then, or is dead. */
const leaseMs = 60_000
/** Minimum pause between two checks of a lane while a number is at its limit. */
const minWaitMs = 100
const unconfirmedAfterMs = 15 * 60_000

interface Dependencies {
  readonly outbox: Pick<Outbox, 'numbersIn' | 'due' | 'claim' | 'defer' | 'lost' | 'unconfirmed' | 'scheduledUntil'>
  readonly awaitFiles: AwaitFiles
  readonly targets: SendTargets
  readonly gate: Gate
  readonly withinLimits: WithinLimits
  readonly settling: Settling
  readonly outgoing: Pick<OutgoingService, 'releaseScheduled'>
  /** Has a lane drained, now or after a pause. */
  readonly wakeSender: (lane: number) => void
  readonly logger: Logger
  readonly now?: Clock
}

/**
 * Sends what waits in the outbox. A message is claimed before the call and settled after it; where it is unknown whether the call
 * was made, it becomes `uncertain` and is never sent again automatically.
 */
export function createSenderService(deps: Dependencies) {
  const { outbox, awaitFiles, targets, gate, withinLimits, settling, outgoing, wakeSender: wake, logger } = deps
  const { now = () => new Date() } = deps
  const inFlight = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  /** Lanes that found no room. */
  const crowded = new Set<number>()

  /** Begins to send what is due in a lane. @returns whether there is more that may leave at once. */
  async function drain(lane: number): Promise<boolean> {
    let hasMore = false
    for (const number of await outbox.numbersIn(lane)) hasMore = (await drainNumber(lane, number)) || hasMore
    return hasMore
  }

  /** Returns how many messages may leave now. A lane whose messages found no room is woken once there is some. */
  function roomIn(lane: number): Capacity {
    const free = maxInFlight - inFlight.size
    const forOthers = free - keptForReplies
    if (forOthers < smallestRoom) crowded.add(lane)
    return {
      replies: Math.min(batchSize, free),
      others: forOthers < smallestRoom ? 0 : Math.min(batchSize, forOthers),
    }
  }

  async function drainNumber(lane: number, number: SendingNumber): Promise<boolean> {
    const room = roomIn(lane)
    if (room.replies === 0) return false
    const scope = { workspaceId: number.workspaceId }
    const {
      free: due,
      ended: fileless,
      isMore,
      waits,
    } = await awaitFiles(scope, await outbox.due(lane, number, now(), room))
    await settling.settleAll(scope, fileless)
    if (waits) wakeAfter(lane, lookAgainMs)
    const isChanged = isMore || fileless.length > 0
    if (due.length === 0) return isChanged
    const found = await targets.of(scope, number.numberId, due)
    if (found?.stopped) return false
    const judged = due.map((message) => {
      const target = found?.targetOf(message)
      return { message, target, verdict: judge(message, target) }
    })
    await settling.settleAll(
      scope,
      judged.flatMap(({ message, verdict }) => (typeof verdict === 'object' ? [{ message, result: verdict }] : [])),
    )
    if (!found) return true
    const sendable = judged.flatMap(({ message, target, verdict }) =>
      verdict === 'ready' && target?.content ? [{ message, target, content: target.content }] : [],
    )
    const { perSecond, portfolio } = found
    const { allowed, reserved, heldBack } = await withinLimits(number, sendable, { perSecond, portfolio }, (pauseMs) =>
      wakeAfter(lane, Math.max(pauseMs, minWaitMs)),
    )
    const at = now()
    const lease = { claim: randomUUID(), leaseUntil: new Date(at.getTime() + leaseMs) }
    const claimed = await outbox.claim(
      scope,
      allowed.map(({ message }) => message),
      lease,
      portfolio && { portfolioId: portfolio.portfolioId, at, reserved },
    )
    const byId = new Map(allowed.map((ready) => [ready.message.id, ready]))
    const toSend = claimed.flatMap((message) => {
      const ready = byId.get(message.id)
      return ready ? [{ ...ready, message }] : []
    })
    const judgedNow = await gate(scope, number.numberId, toSend).catch(async (error: unknown) => {
      await outbox.defer(
        scope,
        toSend.map(({ message }) => ({ message, notBefore: now(), isLate: true, slotTaken: true })),
      )
      throw error
    })
    await keepBack(lane, scope, judgedNow)
    for (const admitted of judgedNow)
      if (admitted.kind === 'allow') {
        const { traceparent } = admitted.candidate.message.dispatch ?? {}
        track(inStoredTrace('send', [traceparent], () => send(lane, scope, admitted)))
      }
    return isChanged || (room.others > 0 && allowed.length + heldBack >= room.others)
  }

  /** Returns `ready` for a message that may leave now, `waits` until its file is uploaded, or else its failure. */
  function judge(message: MessageRecord, target: Target | undefined) {
    const fail = (code: number, words: string) => failed(message, { code, message: words }, now())
    if (!target) return fail(131009, 'The number or the contact of this conversation is gone.')
    if (target.failure) return failed(message, target.failure, now())
    if (!target.hasFile && !target.content) return fail(131051, 'This kind of message cannot be sent.')
    return target.content ? 'ready' : 'waits'
  }

  /** Ends, defers or holds what the gate has not let through. */
  async function keepBack(lane: number, scope: WorkspaceScope, judged: readonly Judged<Ready>[]): Promise<void> {
    const stay = judged.filter((judgement) => judgement.kind === 'stay')
    const ended = stay.flatMap(({ candidate: { message }, admission }) =>
      admission.kind === 'wait'
        ? []
        : [
            {
              message,
              result: admission.kind === 'hold' ? held(admission.reason) : skipped(admission.reason, message, now()),
            },
          ],
    )
    await settling.settleAll(scope, ended)
    const waiting = stay.flatMap(({ candidate: { message }, admission }) =>
      admission.kind === 'wait'
        ? [{ message, notBefore: admission.until, slotTaken: true, passable: admission.passable }]
        : [],
    )
    if (waiting.length > 0) await outbox.defer(scope, waiting)
    // The next message of a conversation may leave now.
    if (ended.length > 0 || waiting.some(({ passable }) => passable)) wake(lane)
  }

  async function send(
    lane: number,
    scope: WorkspaceScope,
    { candidate, category, send: call }: Admitted,
  ): Promise<void> {
    const { message, target, content } = candidate
    const { id, dispatch } = message
    const callbackData = message.direction === 'inbound' ? `reaction:${id}` : id
    const body = sendBody(target.recipient, content, { callbackData, replyTo: target.replyTo })
    const { graph, phoneNumberId, accessToken } = target
    const outcome = await call({ graph, phoneNumberId, accessToken: accessToken.reveal() }, body)
    const pauseMs = await settling.handle(scope, { message, category, waPhone: newlyTold(candidate, outcome) }, outcome)
    if (target.hasFile && outcome.kind === 'refused' && isRefusedForFile(outcome.refusal))
      await targets.forgetFiles(scope, message)
    if (pauseMs > 0) wakeAfter(lane, pauseMs)
    else if (dispatch) wake(lane)
  }

  function track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => logger.error({ err: error }, 'the result of a send could not be noted'))
      .finally(() => {
        inFlight.delete(tracked)
        wakeCrowded()
      })
    inFlight.add(tracked)
  }

  function wakeCrowded(): void {
    if (maxInFlight - inFlight.size < keptForReplies + smallestRoom) return
    for (const lane of crowded) wake(lane)
    crowded.clear()
  }

  function wakeAfter(lane: number, pauseMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake(lane)
    }, pauseMs)
    timers.add(timer.unref())
  }

  /**
   * Handles what no wake-up announces: processes that died, lasting doubt, scheduled messages. Safe to run beside another worker.
   */
  async function sweep(): Promise<void> {
    const at = now()
    await settling.finishLeft()
    const lost = await outbox.lost(at)
    for (const [workspaceId, lostMessages] of Map.groupBy(lost, (message) => message.workspaceId)) {
      await settling.settleLost({ workspaceId }, lostMessages)
      for (const { numberId } of lostMessages) wake(laneOf(numberId))
    }
    await settling.reportUnconfirmed(await outbox.unconfirmed(new Date(at.getTime() - unconfirmedAfterMs)))
    await outgoing.releaseScheduled(await outbox.scheduledUntil(at))
  }

  /** Resolves once every call that was made is noted. */
  async function close(): Promise<void> {
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(inFlight)
  }

  return { drain, sweep, inHand: () => inFlight.size + targets.inHand(), close }
}

/** Returns the platform's number of the recipient, where that was not known. */
function newlyTold({ message: { contactId }, target }: Ready, outcome: SendOutcome) {
  const { phone: of } = target
  const number = outcome.kind === 'accepted' && /^\d{5,20}$/.test(outcome.waId ?? '') ? `+${outcome.waId}` : undefined
  if (of === undefined || number === undefined || number === target.recipient.phone) return undefined
  return { contactId, waPhone: { of, number } }
}

type Admitted = Extract<Judged<Ready>, { kind: 'allow' }>
