import { errors } from '@parley/service-kit/core/errors'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { z } from 'zod'
import { type InboundMessage, readInboundMessage } from '../../whatsapp/inbound-message.ts'
import { readInboundStatus } from '../../whatsapp/inbound-status.ts'
import type { ContactsService, SeenPerson } from '../contacts/contacts.service.ts'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import type { IngestedEvent, IngestedEvents } from '../ingest/ingested-events.ts'
import type { MessagesService } from '../messages/messages.service.ts'
import { decide, type ParkedStatus, type Piece, type Plan } from './decide.ts'

const batchSize = 300

const surroundingsSchema = z.object({
  contacts: z
    .array(
      z.looseObject({
        profile: z
          .looseObject({
            name: z.string().max(200).optional().catch(undefined),
            username: z.string().max(60).optional().catch(undefined),
          })
          .optional()
          .catch(undefined),
      }),
    )
    .default([])
    .catch([]),
  message: z.unknown().optional(),
  status: z.unknown().optional(),
})

interface ReadMessage {
  readonly kind: 'message'
  readonly numberId: string
  readonly person: SeenPerson
  readonly message: InboundMessage
}
type ReadPiece = ReadMessage | Extract<Piece, { kind: 'status' }>

interface Dependencies {
  readonly events: IngestedEvents
  readonly contacts: ContactsService
  readonly conversations: Pick<ConversationsService, 'ensure' | 'apply'>
  readonly messages: Pick<MessagesService, 'known' | 'insertInbound' | 'change'>
  /** Statuses that came before their message. */
  readonly parked: {
    readonly park: (scope: WorkspaceScope, statuses: readonly ParkedStatus[], tx: Tx) => Promise<void>
  }
  readonly recordUsage: (scope: WorkspaceScope, usage: Plan['usage'], tx: Tx) => Promise<void>
  readonly numberIdOf: (scope: WorkspaceScope, phoneNumberId: string) => Promise<string | undefined>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly logger: Logger
}

/** Applies what ingest has stored: exactly once, whatever process dies when. */
export function createApplyService(deps: Dependencies) {
  const { events, contacts, conversations, messages, parked, recordUsage, numberIdOf, transaction, logger } = deps

  /** Applies one batch of a lane. @returns whether there may be more. */
  async function drain(lane: number): Promise<boolean> {
    const batch = await events.pending(lane, batchSize)
    // Workspaces do not share a transaction: what is wrong with one of them holds no other up.
    for (const [workspaceId, own] of Map.groupBy(batch, (event) => event.workspaceId)) {
      await applyTogether({ workspaceId }, own).catch((error: unknown) => applyOneByOne({ workspaceId }, own, error))
    }
    return batch.length === batchSize
  }

  /** A batch that fails is tried event by event, so that only the one that is at fault waits or dies. */
  async function applyOneByOne(scope: WorkspaceScope, batch: readonly IngestedEvent[], reason: unknown): Promise<void> {
    logger.warn({ err: reason, workspaceId: scope.workspaceId, events: batch.length }, 'a batch could not be applied')
    for (const event of batch) {
      await applyTogether(scope, [event]).catch(async (error: unknown) => {
        if (isPassing(error)) throw error
        await events.noteFailure(event, error instanceof Error ? error.message : String(error))
      })
    }
  }

  async function applyTogether(scope: WorkspaceScope, batch: readonly IngestedEvent[]): Promise<void> {
    const read: ReadPiece[] = []
    for (const event of batch) {
      const piece = await readPiece(scope, event)
      if (piece) read.push(piece)
    }
    const pieces = await placed(scope, read)
    await transaction(async (tx) => {
      const taken = await events.take(
        scope,
        batch.map(({ id }) => id),
        tx,
      )
      if (taken !== batch.length) throw errors.serviceUnavailable(new Error('another worker has applied some of them'))
      const known = await messages.known(scope, namedBy(pieces), { session: tx.session })
      const plan = decide(pieces, known)
      await messages.insertInbound(scope, plan.inserts, tx)
      if (plan.conversations.length > 0) await conversations.apply(scope, plan.conversations, tx)
      if (plan.changes.length > 0) await messages.change(scope, plan.changes, tx)
      if (plan.parked.length > 0) await parked.park(scope, plan.parked, tx)
      if (plan.usage.length > 0) await recordUsage(scope, plan.usage, tx)
    })
  }

  /** @returns `undefined` for what is kept and does nothing yet. */
  async function readPiece(scope: WorkspaceScope, event: IngestedEvent): Promise<ReadPiece | undefined> {
    if (event.kind === 'other') return undefined
    const around = surroundingsSchema.parse(JSON.parse(event.payload))
    if (event.kind === 'status') return { kind: 'status', status: readInboundStatus(around.status) }
    const numberId = event.phoneNumberId && (await numberIdOf(scope, event.phoneNumberId))
    if (!numberId) throw new Error(`no number of this workspace has the phone number id ${event.phoneNumberId}`)
    const message = readInboundMessage(around.message)
    const profile = around.contacts[0]?.profile
    const person = {
      phone: message.waId === undefined ? undefined : `+${message.waId}`,
      waUserId: message.userId,
      name: profile?.name,
      username: profile?.username?.replace(/^@/, ''),
    }
    return { kind: 'message', numberId, person, message }
  }

  /** Finds or makes contact and conversation of each message, before the transaction: both are safe to repeat. */
  async function placed(scope: WorkspaceScope, read: readonly ReadPiece[]): Promise<Piece[]> {
    const inbound = read.filter((piece) => piece.kind === 'message')
    if (inbound.length === 0) return read.filter((piece) => piece.kind === 'status')
    const contactIds = await contacts.ensure(
      scope,
      inbound.map(({ person }) => person),
    )
    const pairs = inbound.map(({ numberId, person }) => ({ numberId, contactId: contactIds(person) }))
    const conversationIds = await conversations.ensure(scope, pairs)
    return read.map((piece) => {
      if (piece.kind === 'status') return piece
      const { numberId, person, message } = piece
      const contactId = contactIds(person)
      const conversationId = conversationIds.get(`${numberId}/${contactId}`)
      if (conversationId === undefined) throw errors.serviceUnavailable(new Error('a conversation is not visible yet'))
      return { kind: 'message', numberId, contactId, conversationId, message }
    })
  }

  return { drain }
}

/** The database's doing, not the event's: trying again helps. */
const isPassing = (error: unknown): boolean =>
  error instanceof Error && ('code' in error ? error.code === 'service_unavailable' : error.name.startsWith('Mongo'))

const namedBy = (pieces: readonly Piece[]) => ({
  waMessageIds: pieces.map((piece) =>
    piece.kind === 'message' ? piece.message.waMessageId : piece.status.waMessageId,
  ),
  ids: pieces.flatMap((piece) =>
    piece.kind === 'status' && isId(piece.status.callbackData) ? piece.status.callbackData : [],
  ),
})
const isId = (value: string | undefined): value is string => value !== undefined && /^[0-9a-f]{24}$/.test(value)
