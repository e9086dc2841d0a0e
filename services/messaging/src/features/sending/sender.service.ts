import { randomUUID } from 'node:crypto'
import type { Secret } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Figures } from '../../figures.ts'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { GraphClient, SendOutcome } from '../../whatsapp/graph-client.ts'
import { sendBody } from '../../whatsapp/send-body.ts'
import type { MessageChange, MessageRecord, MessagesService } from '../messages/messages.service.ts'
import type { Outbox } from '../messages/outbox.ts'
import { isWindowOpen } from '../messages/service-window.ts'

const batchSize = 100
/** Longer than a call may take: whoever has sent it has noted it by then, or is dead. */
const leaseMs = 60_000
const mostAttempts = 6
const firstPauseMs = 2000
const longestPauseMs = 5 * 60_000

/** What a send needs to know beyond the message. */
interface SendTarget {
  readonly graph: GraphClient
  readonly phoneNumberId: string
  readonly accessToken: Secret
  readonly recipient: { readonly phone?: string | undefined; readonly userId?: string | undefined }
  readonly windowExpiresAt: Date | undefined
  /** Sending from this number is stopped until a person has done something. */
  readonly stopped: boolean
}

interface Dependencies {
  readonly outbox: Outbox
  readonly messages: Pick<MessagesService, 'change'>
  readonly targetOf: (scope: WorkspaceScope, message: MessageRecord) => Promise<SendTarget | undefined>
  /** A token, permission or payment problem: nothing more leaves from this number until people have seen to it. */
  readonly stopNumber: (scope: WorkspaceScope, numberId: string, code: number, reason: string) => Promise<void>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly countSend: Figures['countSend']
  readonly now?: () => Date
}

/**
 * Sends what waits in the outbox. A message is claimed before the call and settled after it; where nobody can tell whether the
 * call was made, it becomes `uncertain` and is never sent again by itself.
 */
export function createSenderService({
  outbox,
  messages,
  targetOf,
  stopNumber,
  transaction,
  countSend,
  now = () => new Date(),
}: Dependencies) {
  const process = randomUUID()

  /** Works on one batch of a lane. @returns whether there is more that is due. */
  async function drain(lane: number): Promise<boolean> {
    const waiting = await outbox.pending(lane, batchSize)
    const at = now()
    const lost = waiting.filter(({ dispatch }) => dispatch?.state === 'sending' && (dispatch.leaseUntil ?? at) <= at)
    for (const message of lost) {
      countSend('uncertain')
      await settle(message, uncertain('the process that sent it has ended'))
    }
    const due = firstOfEachConversation(waiting).filter(
      ({ dispatch }) => dispatch?.state === 'queued' && dispatch.notBefore <= at,
    )
    const results = await Promise.all(due.map(attempt))
    return results.includes('sent')
  }

  /** Messages of one conversation leave in their order: the next one after the one before it. */
  function firstOfEachConversation(waiting: readonly MessageRecord[]): MessageRecord[] {
    const first = new Map<string, MessageRecord>()
    for (const message of waiting) if (!first.has(message.conversationId)) first.set(message.conversationId, message)
    return [...first.values()]
  }

  async function attempt(message: MessageRecord): Promise<'sent' | 'waits'> {
    const scope = { workspaceId: message.workspaceId }
    const target = await targetOf(scope, message)
    if (target?.stopped) return 'waits'
    if (!target) {
      await settle(message, failed(131009, 'The number or the contact of this conversation is gone.'))
      return 'sent'
    }
    if (!isWindowOpen(target.windowExpiresAt, now())) {
      await settle(message, failed(131047, 'The window has closed before the message could leave.'))
      return 'sent'
    }
    const claimed = await outbox.claim(message, { claim: process, leaseUntil: new Date(now().getTime() + leaseMs) })
    if (!claimed) return 'waits'
    const content = { type: 'text' as const, text: String(message.content['text'] ?? '') }
    const body = sendBody(target.recipient, content, { callbackData: message.id })
    const outcome = await target.graph.send(target.phoneNumberId, body, { accessToken: target.accessToken.reveal() })
    return handle(scope, claimed, outcome)
  }

  async function handle(
    scope: WorkspaceScope,
    message: MessageRecord,
    outcome: SendOutcome,
  ): Promise<'sent' | 'waits'> {
    if (outcome.kind !== 'refused') countSend(outcome.kind)
    if (outcome.kind === 'accepted') return settled(message, accepted(outcome.waMessageId))
    if (outcome.kind === 'uncertain') return settled(message, uncertain(outcome.reason))
    if (outcome.kind === 'not_sent') return retry(message, { code: 2, message: outcome.reason })
    const { code, message: words, retryAfterSeconds } = outcome.refusal
    const { class: errorClass } = classifyError(code)
    countSend(errorClass === 'stop_number' ? 'stopped' : 'refused')
    if (errorClass === 'stop_number') {
      await stopNumber(scope, message.numberId, code, words)
      await outbox.release(message, {
        notBefore: now(),
        attempts: message.dispatch?.attempts ?? 0,
        code,
        message: words,
      })
      return 'waits'
    }
    if (['retry', 'slow_number', 'slow_contact'].includes(errorClass))
      return retry(message, { code, message: words, retryAfterSeconds })
    return settled(message, failed(code, words))
  }

  async function retry(
    message: MessageRecord,
    error: { code: number; message: string; retryAfterSeconds?: number | undefined },
  ): Promise<'sent' | 'waits'> {
    const attempts = (message.dispatch?.attempts ?? 0) + 1
    if (attempts >= mostAttempts) return settled(message, failed(error.code, error.message))
    const doubled = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs)
    const pauseMs = Math.max(doubled * (0.75 + Math.random() / 2), (error.retryAfterSeconds ?? 0) * 1000)
    await outbox.release(message, {
      notBefore: new Date(now().getTime() + pauseMs),
      attempts,
      code: error.code,
      message: error.message,
    })
    return 'waits'
  }

  async function settled(message: MessageRecord, result: Settlement): Promise<'sent'> {
    await settle(message, result)
    return 'sent'
  }

  /** Writes how a message ended, unless its status has told already. */
  async function settle(message: MessageRecord, { set, answeredAt }: Settlement): Promise<void> {
    const change: MessageChange = {
      id: message.id,
      version: message.version,
      conversationId: message.conversationId,
      set,
      answeredAt,
      unset: ['sendLane', 'dispatch.claim', 'dispatch.leaseUntil'],
    }
    await transaction((tx) => messages.change({ workspaceId: message.workspaceId }, [change], tx)).catch(
      async (error) => {
        // A status may come before the answer to the call; it has settled the message then.
        const current = await outbox.read(message)
        if (current?.dispatch?.state === 'sending' || current?.dispatch?.state === 'queued') {
          if (current.version === message.version) throw error
          await settle(current, {
            set: { ...set, ...(current.status !== 'queued' && { status: current.status }) },
            status: current.status,
          })
        }
      },
    )
  }

  function failed(code: number, details: string): Settlement {
    const at = now()
    return {
      status: 'failed',
      set: {
        status: 'failed',
        'statusAt.failed': at,
        error: { code, details: details.slice(0, 1000) },
        'dispatch.state': 'failed',
      },
    }
  }

  return { drain }
}

interface Settlement {
  readonly set: Record<string, unknown>
  readonly status: MessageRecord['status']
  readonly answeredAt?: Date
}

const accepted = (waMessageId: string): Settlement => ({
  status: 'queued',
  set: { waMessageId, 'dispatch.state': 'accepted' },
  answeredAt: new Date(),
})

const uncertain = (reason: string): Settlement => ({
  status: 'queued',
  set: { 'dispatch.state': 'uncertain', 'dispatch.lastError': { code: 0, message: reason.slice(0, 500) } },
})
