import type { Clock } from '@parley/service-kit/core/clock'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { Acceptance, AcceptedMessage } from '../../inbox/messages/accepted-messages.ts'
import type { MessageRecord, MessagesService } from '../../inbox/messages/messages.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { Acceptances } from './acceptances.ts'
import type { Settlement } from './settlements.ts'

/** Minimum of messages together: of fewer, one transaction costs less than the steps. */
const minAccepted = 4
/** Age at which the process of an acceptance is thought to have died. */
const leftAfterMs = 15_000

/** A message and its outcome. */
export interface Settled {
  readonly message: MessageRecord
  readonly result: Settlement
}

export interface SettleAcceptedDependencies {
  readonly outbox: Pick<Outbox, 'read'>
  readonly messages: Pick<MessagesService, 'accepted'>
  readonly acceptances: Pick<Acceptances, 'begin' | 'begunBefore' | 'end'>
  /** Settles a message that is not as it was claimed any more. */
  readonly settleOne: (scope: WorkspaceScope, settled: Settled) => Promise<void>
  /** Applies what came about messages before their ids were known. */
  readonly applyParked: (scope: WorkspaceScope, waMessageIds: readonly string[]) => Promise<void>
  readonly transaction: RunInTransaction
  readonly logger: Pick<Logger, 'warn'>
  readonly now: Clock
}

/** Settles messages of campaigns that WhatsApp has accepted, several together and for the most part outside of transactions. */
export function createSettleAccepted({
  outbox,
  messages,
  acceptances,
  settleOne,
  applyParked,
  transaction,
  logger,
  now,
}: SettleAcceptedDependencies) {
  /** Writes down which of these messages were accepted. @returns undefined where it is not worth it, or fails: they can be settled otherwise. */
  async function begin(scope: WorkspaceScope, settled: readonly Settled[]): Promise<Acceptance | undefined> {
    const accepted = settled.flatMap((entry) => acceptedIn(entry) ?? [])
    if (accepted.length < minAccepted) return undefined
    return acceptances.begin(scope, { at: now(), accepted }).catch((error: unknown) => {
      logger.warn({ err: error, ...scope, messages: accepted.length }, 'accepted messages are settled in a transaction')
      return undefined
    })
  }

  /** Writes an acceptance into its messages, and then what follows from it. Safe to begin again after each step, and in two processes. */
  async function finish(scope: WorkspaceScope, acceptance: Acceptance): Promise<void> {
    const own = await messages.accepted.write(scope, acceptance)
    for (const { messageId: id, waMessageId, category } of acceptance.accepted) {
      const message = own.has(id) ? null : await outbox.read({ ...scope, id })
      if (message) await settleOne(scope, { message, result: resultOf(waMessageId, category, acceptance.at) })
    }
    const hasRows = await messages.accepted.noteRows(scope, own)
    const isOurs = await transaction(async (tx) => {
      const isFirst = await acceptances.end(scope, acceptance.id, tx)
      if (isFirst) await messages.accepted.follow(scope, acceptance, { own, hasRows }, tx)
      return isFirst
    })
    if (!isOurs) await transaction((tx) => messages.accepted.repairRows(scope, own, tx))
    await applyParked(
      scope,
      acceptance.accepted.map(({ waMessageId }) => waMessageId),
    )
  }

  /** Finishes acceptances whose process has ended. One that cannot be finished holds up no other. */
  async function finishLeft(): Promise<void> {
    for (const { workspaceId, ...acceptance } of await acceptances.begunBefore(new Date(now().getTime() - leftAfterMs)))
      await finish({ workspaceId }, acceptance).catch((error: unknown) =>
        logger.warn(
          { err: error, workspaceId, messages: acceptance.accepted.length },
          'accepted messages are not settled',
        ),
      )
  }

  return { begin, finish, finishLeft }
}

/** Returns the message where it is a campaign's, is still as it was claimed, and was accepted; another's is settled in a transaction. */
export function acceptedIn({
  message: { id: messageId, version, direction, cause, status },
  result: { waMessageId, category, waPhone },
}: Settled): AcceptedMessage | undefined {
  if (waMessageId === undefined || waPhone || direction !== 'outbound' || cause.kind !== 'campaign') return undefined
  return status === 'queued' ? { messageId, version, waMessageId, category } : undefined
}

const resultOf = (waMessageId: string, category: Settlement['category'], answeredAt: Date): Settlement => ({
  set: { waMessageId, 'dispatch.state': 'accepted' },
  waMessageId,
  answeredAt,
  category,
})
