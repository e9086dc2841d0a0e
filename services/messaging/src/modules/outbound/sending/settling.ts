import type { Template } from '@parley/contracts/templates/templates'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MessagingMetrics } from '../../../platform/metrics.ts'
import { classifyRefusal, isStopped } from '../../../whatsapp/error-classes.ts'
import type { GraphRefusal } from '../../../whatsapp/graph-answer.ts'
import { nextTry } from '../../../whatsapp/next-try.ts'
import type { SendOutcome } from '../../../whatsapp/send-call.ts'
import { groupCommit } from '../../channel/ingest/group-commit.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ContactsService, ReportedWaPhone } from '../../contacts/contacts.service.ts'
import type { MessageChange, MessageRecord, MessagesService } from '../../inbox/messages/messages.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { SendLimits } from './send-limits.ts'
import { acceptedIn, createSettleAccepted, type SettleAcceptedDependencies, type Settled } from './settle-accepted.ts'
import { failed, heldRefused, queuedAgain, type Settlement, uncertain } from './settlements.ts'

/** WhatsApp's own code of a service that is away. */
const notSentCode = 2
/** Pause before a stopped number's remaining messages are checked again. */
const stoppedPauseMs = 2000
/** Calls that end meanwhile share the cost of one transaction; the delay goes unnoticed. */
const settleEveryMs = 50

/** A message whose call has ended. */
interface Called {
  readonly message: MessageRecord
  readonly category: Template['category'] | undefined
  /** Platform's number of the recipient, where that was not known. */
  readonly waPhone?: ReportedWaPhone | undefined
}

interface Dependencies extends Omit<SettleAcceptedDependencies, 'settleOne' | 'messages' | 'now'> {
  readonly outbox: Pick<Outbox, 'defer' | 'read'>
  readonly messages: Pick<MessagesService, 'change' | 'accepted'>
  readonly contacts: Pick<ContactsService, 'noteWaPhones'>
  readonly limits: Pick<SendLimits, 'slow'>
  readonly numbers: Pick<NumbersService, 'stop'>
  readonly figures: Pick<MessagingMetrics, 'countSend' | 'countFailedReply' | 'observeAccepted'>
  readonly now?: Clock
}

export type Settling = ReturnType<typeof createSettling>

/** Notes what became of sends: several at once, and each only where its status has not told already. */
export function createSettling(deps: Dependencies) {
  const {
    outbox,
    messages,
    contacts,
    limits,
    numbers,
    applyParked,
    transaction,
    figures: { countSend, countFailedReply, observeAccepted },
    now = () => new Date(),
  } = deps

  const settleAccepted = createSettleAccepted({ ...deps, now, settleOne })
  const commit = groupCommit<Settled>(
    async (settled) => {
      const byWorkspace = Map.groupBy(settled, ({ message }) => message.workspaceId)
      for (const [workspaceId, workspaceEntries] of byWorkspace) await settleAll({ workspaceId }, workspaceEntries)
    },
    { atOnce: 2, everyMs: settleEveryMs },
  )

  /** @returns after how many milliseconds the message may be tried again; 0 where it is settled. */
  async function handle(scope: WorkspaceScope, called: Called, outcome: SendOutcome): Promise<number> {
    const { message } = called
    if (outcome.kind !== 'refused') countSend(outcome.kind)
    if (outcome.kind === 'accepted' && isFirstReply(message)) observeAccepted(secondsSinceDue(message, now()))
    if (outcome.kind === 'accepted') return settle(message, accepted(outcome.waMessageId, called, now()))
    if (outcome.kind === 'uncertain' && isFirstReply(message)) countFailedReply('uncertain')
    if (outcome.kind === 'uncertain') return settle(message, uncertain(outcome.reason, now()))
    const refusal = outcome.kind === 'refused' ? outcome.refusal : { code: notSentCode, message: outcome.reason }
    const next = nextTry(refusal, message.dispatch?.attempts ?? 0)
    if (outcome.kind === 'refused') countSend(resultOf(refusal))
    if (next.kind === 'stop_number') return stopNumber(scope, called, { code: next.code, message: refusal.message })
    const errorClass = classifyRefusal(refusal).class
    if (errorClass === 'slow_number')
      await limits.slow(message.numberId, Math.max(1000, (refusal.retryAfterSeconds ?? 0) * 1000))
    if (next.kind === 'again') return retry(message, refusal, next)
    if (next.kind === 'spent' && isFirstReply(message))
      countFailedReply(outcome.kind === 'not_sent' ? 'not_sent' : 'refused')
    // The recipient is not at fault: others would be refused as well.
    if (errorClass === 'fix_template' && message.cause.kind === 'campaign') return settle(message, heldRefused(refusal))
    return settle(message, failed(message, refusal, now()))
  }

  /** Lets a message wait for its number. One that the stop is not about would be refused over and over: it ends. */
  async function stopNumber(
    scope: WorkspaceScope,
    { message, category }: Called,
    refusal: { code: number; message: string },
  ): Promise<number> {
    const { code, message: words } = refusal
    await numbers.stop(scope, message.numberId, code, words)
    if (isStopped({ code }, { isTemplate: message.content.type === 'template', category })) {
      await outbox.defer(scope, [{ message, notBefore: now(), error: refusal }])
      return stoppedPauseMs
    }
    return settle(message, message.cause.kind === 'campaign' ? heldRefused(refusal) : failed(message, refusal, now()))
  }

  async function retry(
    message: MessageRecord,
    error: GraphRefusal,
    { pauseMs, isLate }: { pauseMs: number; isLate: boolean },
  ): Promise<number> {
    const notBefore = new Date(now().getTime() + pauseMs)
    const deferred = { message, notBefore, isLate, attempts: (message.dispatch?.attempts ?? 0) + 1, error }
    await outbox.defer({ workspaceId: message.workspaceId }, [deferred])
    return pauseMs
  }

  async function settle(message: MessageRecord, result: Settlement): Promise<0> {
    await commit([{ message, result }])
    return 0
  }

  async function settleAll(scope: WorkspaceScope, settled: readonly Settled[]): Promise<void> {
    if (settled.length === 0) return
    const acceptance = await settleAccepted.begin(scope, settled)
    const others = acceptance ? settled.filter((entry) => !acceptedIn(entry)) : settled
    await settleTogether(scope, others)
    await applyParked(
      scope,
      others.flatMap(({ result }) => result.waMessageId ?? []),
    )
    if (acceptance) await settleAccepted.finish(scope, acceptance)
  }

  async function settleTogether(scope: WorkspaceScope, settled: readonly Settled[]): Promise<void> {
    if (settled.length === 0) return
    await transaction(async (tx) => {
      await messages.change(scope, settled.map(changeOf), tx)
      await contacts.noteWaPhones(scope, waPhonesIn(settled), tx)
    }).catch(async () => {
      for (const entry of settled) await settleOne(scope, entry)
    })
  }

  /** The process that sent them has ended. */
  async function settleLost(scope: WorkspaceScope, lost: readonly MessageRecord[]): Promise<void> {
    for (const message of lost) {
      countSend('uncertain')
      if (isFirstReply(message)) countFailedReply('uncertain')
    }
    const result = uncertain('the process that sent it has ended', now())
    await settleAll(
      scope,
      lost.map((message) => ({ message, result })),
    )
  }

  /** A status may come before the answer to the call: where it has settled the message, nothing is left to note. */
  async function settleOne(scope: WorkspaceScope, { message, result }: Settled): Promise<void> {
    const { waPhone } = result
    if (waPhone) await transaction((tx) => contacts.noteWaPhones(scope, [waPhone], tx))
    for (let tries = 0; tries < 5; tries += 1) {
      const current = await outbox.read(message)
      const open = ['sending', 'queued', 'uncertain'].includes(current?.dispatch?.state ?? '')
      if (!current || !open || (result.waMessageId !== undefined && isKnownAs(current, result.waMessageId))) return
      const left = isOtherReaction(current, message) ? queuedAgain(current, now()) : result
      const done = await transaction((tx) =>
        messages.change(scope, [changeOf({ message: current, result: left })], tx),
      ).then(
        () => true,
        () => false,
      )
      if (done) return
    }
    throw errors.serviceUnavailable(new Error('a message changed again and again'))
  }

  /** Notifies members of messages that no status has confirmed. */
  async function reportUnconfirmed(waiting: readonly MessageRecord[]): Promise<void> {
    for (const { workspaceId, id, version, conversationId, status } of waiting) {
      const change = {
        id,
        version,
        conversationId,
        from: status,
        set: { 'dispatch.unconfirmed': true },
        unset: ['dispatch.uncertainAt'],
      }
      await transaction((tx) => messages.change({ workspaceId }, [change], tx)).catch(() => {
        // Its status has arrived at this moment.
      })
    }
  }

  return { handle, settleAll, settleLost, finishLeft: settleAccepted.finishLeft, reportUnconfirmed }
}

const changeOf = ({ message: { id, version, conversationId, status }, result }: Settled): MessageChange => ({
  id,
  version,
  conversationId,
  from: status,
  set: result.set,
  answeredAt: result.answeredAt,
  category: result.category,
  unset: [
    ...('sendLane' in result.set ? [] : ['sendLane']),
    'dispatch.claim',
    'dispatch.leaseUntil',
    'dispatch.lateSince',
  ],
})

/** Returns whether a status has told its id already, also of a try after which a person has sent it again. */
const isKnownAs = ({ waMessageId, formerWaMessageIds = [] }: MessageRecord, id: string): boolean =>
  waMessageId === id || formerWaMessageIds.includes(id)

/** Returns what the metric of sends calls a refusal. */
function resultOf(refusal: GraphRefusal) {
  const { class: errorClass } = classifyRefusal(refusal)
  return errorClass === 'stop_number' ? 'stopped' : errorClass === 'bad_request' ? 'faulty' : 'refused'
}

const waPhonesIn = (settled: readonly Settled[]) => settled.flatMap(({ result }) => result.waPhone ?? [])

function accepted(waMessageId: string, { message, category, waPhone }: Called, answeredAt: Date): Settlement {
  // A reaction leaves as the work of the message that it is about.
  if (message.direction === 'inbound') return { set: { 'dispatch.state': 'accepted' } }
  return { set: { waMessageId, 'dispatch.state': 'accepted' }, waMessageId, answeredAt, category, waPhone }
}

const reactionOf = ({ reactions }: MessageRecord) => reactions?.find(({ by }) => by === 'member')?.emoji

/** Returns whether the member changed a reaction while it was on its way. */
const isOtherReaction = (current: MessageRecord, left: MessageRecord): boolean =>
  current.direction === 'inbound' && reactionOf(current) !== reactionOf(left)

/** A reply that nobody has sent again. */
const isFirstReply = ({ dispatch }: MessageRecord): boolean =>
  dispatch?.priority === 0 && dispatch.generation === undefined

const secondsSinceDue = ({ createdAt, sendAt = createdAt }: MessageRecord, at: Date): number =>
  Math.max(0, at.getTime() - Math.max(createdAt.getTime(), sendAt.getTime())) / 1000
