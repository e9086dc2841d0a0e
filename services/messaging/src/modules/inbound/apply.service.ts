import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Logger } from '@parley/service-kit/core/logger'
import { inStoredTrace } from '@parley/service-kit/core/tracing'
import { translateMongoError } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { Queues } from '@parley/service-kit/queue/queues'
import type { MessagingMetrics } from '../../platform/metrics.ts'
import type { NoteAnswers } from '../campaigns/tracking/answers.ts'
import type { AccountEvents } from '../channel/account-events/account-events.ts'
import type { IngestedEvent, IngestedEvents } from '../channel/ingest/ingested-events.ts'
import type { NumberActivity } from '../channel/numbers/number-activity.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { ConsentService } from '../contacts/consent/consent.service.ts'
import type { Command, CustomerCommands } from '../contacts/consent/customer-commands.ts'
import type { ContactsService } from '../contacts/contacts.service.ts'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { MessageRecord, MessagesService } from '../inbox/messages/messages.service.ts'
import { decide, type Plan } from './decide.ts'
import { meaningOf, spokenByEdits, spokenIn, stopsIn, writtenIn } from './inbound-text.ts'
import type { OrphanUpdates } from './orphan-updates.ts'
import { type ReadItem, readItem } from './read-webhook-items.ts'
import { createResolveContacts } from './resolve-contacts.ts'
import { type AppliedItem, isHistory, namedBy, quotingIn, sightingsIn, targetOf } from './webhook-items.ts'

const maxBatch = 300
const minBatch = 20
/** Milliseconds that a batch may take. Until it is committed, replies in its conversations conflict with it, and give up in seconds. */
const maxBatchMs = 1000

/** Returns how many events the next batch takes, by the time that some have taken: few tell nothing. */
export function nextBatchSize(size: number, { events, tookMs }: { events: number; tookMs: number }): number {
  if (events < minBatch) return size
  const fitting = Math.floor((events * maxBatchMs) / Math.max(1, tookMs))
  return Math.min(maxBatch, Math.max(minBatch, Math.min(fitting, size * 2)))
}

export interface AboveApply {
  /** Returns the time before which messages are no longer kept; undefined where all are. */
  readonly keptSince: (scope: WorkspaceScope) => Promise<Date | undefined>
}

interface Dependencies extends AboveApply {
  readonly ingestedEvents: IngestedEvents
  readonly contacts: Pick<
    ContactsService,
    'ensure' | 'find' | 'noteTimes' | 'noteSightings' | 'noteHistory' | 'changeIdentity'
  >
  readonly conversations: Pick<ConversationsService, 'ensure' | 'apply'>
  readonly messages: Pick<MessagesService, 'known' | 'insert' | 'announce' | 'change'>
  readonly accountEvents: Pick<AccountEvents, 'apply'>
  readonly parked: OrphanUpdates
  readonly usage: { readonly record: (scope: WorkspaceScope, usage: Plan['usage'], tx: Tx) => Promise<void> }
  readonly consent: Pick<ConsentService, 'record'>
  readonly customerCommands: CustomerCommands
  readonly blocking: {
    /** Called for blocked contacts who have written: WhatsApp can be asked to block them now. */
    readonly haveWritten: (scope: WorkspaceScope, contactIds: readonly string[]) => Promise<void>
  }
  readonly recordReplies: NoteAnswers
  readonly numbers: Pick<NumbersService, 'idsOf' | 'stopForFailure'>
  readonly numberActivity: Pick<NumberActivity, 'saw'>
  readonly queues: Pick<Queues, 'jobs'>
  readonly figures: Pick<MessagingMetrics, 'observeShown'>
  readonly transaction: RunInTransaction
  readonly logger: Logger
}

/** Outcome of a batch; `blocked` are contacts who have written although they are blocked. */
interface CarriedOut extends Plan {
  /** New messages, which are still to be announced. */
  readonly stored: readonly MessageRecord[]
  readonly blocked: readonly string[]
  /** Commands that customers gave by editing a message. */
  readonly askedByEdit: readonly Command[]
}

/** Applies what ingest has stored: exactly once, whatever process dies when. */
export function createApplyService(deps: Dependencies) {
  const {
    ingestedEvents: events,
    contacts,
    conversations,
    messages,
    accountEvents,
    parked,
    usage,
    consent,
    customerCommands: commands,
    numbers,
    transaction,
    logger,
  } = deps
  const fetchMedia = deps.queues.jobs('media').add
  const resolving = createResolveContacts({
    ...deps,
    announceContacts: ({ workspaceId }, count) =>
      transaction(async (tx) =>
        tx.emit({ workspaceId, by: { kind: 'system' }, type: 'contacts.changed', data: { count } }),
      ),
    recordConsent: (scope, entries) => transaction((tx) => consent.record(scope, entries, tx)),
  })

  let batchSize = maxBatch

  /** Applies one batch of a lane. @returns whether there may be more. */
  async function drain(lane: number): Promise<boolean> {
    const asked = batchSize
    const batch = await events.pending(lane, asked)
    // Workspaces do not share a transaction: what is wrong with one of them holds no other up.
    for (const [workspaceId, workspaceEvents] of Map.groupBy(batch, (event) => event.workspaceId)) {
      const traces = workspaceEvents.map(({ traceparent }) => traceparent)
      const beganAt = performance.now()
      await inStoredTrace('apply', traces, () =>
        applyTogether({ workspaceId }, workspaceEvents).catch((error: unknown) =>
          applyOneByOne({ workspaceId }, workspaceEvents, error),
        ),
      )
      const tookMs = performance.now() - beganAt
      batchSize = nextBatchSize(batchSize, { events: workspaceEvents.length, tookMs })
    }
    return batch.length === asked
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
    const named = [...new Set(batch.flatMap(({ phoneNumberId }) => phoneNumberId ?? []))]
    const numberIds = await numbers.idsOf(scope, named)
    const read = await keptOf(
      scope,
      batch.flatMap((event) => readItem(event, numberIds) ?? []),
    )
    const ofAccount = read.filter((piece) => piece.kind === 'account')
    // Only the contacts of an address book are kept.
    const accountPieces = ofAccount.filter(({ field }) => field !== 'smb_app_state_sync')
    const pieces = await resolving.resolve(scope, read.filter(isPiece))
    await resolving.applyContactEvents(scope, read)
    const { before = [], now = [] } = Object.groupBy(pieces, (piece) => (isHistory(piece) ? 'before' : 'now'))
    await contacts.noteTimes(scope, sightingsIn(now))
    const asked = await commands.among(scope, spokenIn(now))
    // A customer who opted out earlier is not asked again, and nobody is notified.
    const askedBefore = (await commands.among(scope, spokenIn(before))).filter(({ command }) => command !== 'start')
    const plan = await transaction(async (tx) => {
      const ids = batch.map(({ id }) => id)
      if ((await events.markApplied(scope, ids, tx)) !== batch.length)
        throw errors.serviceUnavailable(new Error('another worker has applied some of them'))
      await accountEvents.apply(scope, accountPieces, tx)
      const plan = await carryOut(scope, pieces, tx)
      await consent.record(scope, commands.entriesOf([...askedBefore, ...asked]), tx)
      const answers = await deps.recordReplies(scope, writtenIn(now, plan.inserts, asked), tx)
      messages.announce(scope, plan.stored, meaningOf(asked, answers), tx)
      return plan
    })
    const shownAt = Date.now()
    for (const { kind, receivedAt } of batch)
      if (kind === 'message') deps.figures.observeShown(Math.max(0, shownAt - receivedAt.getTime()) / 1000)
    await commands.confirm(scope, [...asked, ...plan.askedByEdit])
    await deps.blocking.haveWritten(scope, plan.blocked)
    await matchParked(scope, plan)
    await resolving.applyRefusals(scope, plan)
    await deps.numberActivity.saw(scope, numberIds.values())
    const withFiles = [
      ...plan.inserts.filter(({ mediaFetch }) => mediaFetch !== undefined),
      ...plan.changes.filter(({ set }) => set['mediaFetch'] !== undefined),
    ]
    await fetchMedia(withFiles.map(({ id }) => ({ id, workspaceId: scope.workspaceId })))
  }

  /** Leaves out what a number shares of a time from which messages are deleted by now: neither they nor their people come back. */
  async function keptOf(scope: WorkspaceScope, read: ReadItem[]): Promise<ReadItem[]> {
    if (!read.some(isOfBefore)) return read
    const since = await deps.keptSince(scope)
    return since ? read.filter((piece) => !isOfBefore(piece) || timeOf(piece) >= since) : read
  }

  async function carryOut(scope: WorkspaceScope, pieces: readonly AppliedItem[], tx: Tx): Promise<CarriedOut> {
    const known = await messages.known(scope, namedBy(pieces), { session: tx.session })
    const storedBefore = new Set(known.map(({ waMessageId }) => waMessageId))
    const appearing = pieces.flatMap((piece) => (piece.kind === 'message' ? piece.message.waMessageId : []))
    const fresh = appearing.filter((id) => !storedBefore.has(id))
    const waiting = await parked.waitingFor(scope, fresh, tx)
    const quoting = await messages.known(scope, { waMessageIds: [], ids: quotingIn(waiting) }, { session: tx.session })
    const plan = decide([...pieces, ...waiting], [...known, ...quoting])
    const stored = await messages.insert(scope, plan.inserts, tx, plan.history)
    await contacts.noteHistory(scope, sightingsIn(pieces.filter(isHistory)), tx)
    const blocked = await contacts.noteSightings(scope, sightingsIn(pieces.filter((piece) => !isHistory(piece))), tx)
    if (plan.conversations.length > 0) await conversations.apply(scope, plan.conversations, tx)
    if (plan.changes.length > 0) await messages.change(scope, plan.changes, tx)
    if (waiting.length > 0) await parked.forget(scope, fresh, tx)
    if (plan.parked.length > 0) await parked.park(scope, plan.parked, tx)
    if (plan.usage.length > 0) await usage.record(scope, plan.usage, tx)
    const askedByEdit = await commands.among(scope, spokenByEdits(plan.edited))
    await consent.record(scope, [...stopsIn(plan.refused), ...commands.entriesOf(askedByEdit)], tx)
    return { ...plan, stored, blocked, askedByEdit }
  }

  /**
   * A message and a piece about it may be applied at the same moment, each unseen by the other's transaction: whichever is
   * committed last finds the other here. A status too makes a message known: of a send whose answer was lost.
   */
  async function matchParked(scope: WorkspaceScope, { inserts, changes, parked: now }: Plan) {
    const named = changes.flatMap(({ set: { waMessageId } }) => (typeof waMessageId === 'string' ? waMessageId : []))
    const candidates = [...inserts.map(({ waMessageId }) => waMessageId), ...named, ...now.map(targetOf)]
    if (candidates.length > 0) await applyParked(scope, candidates)
  }

  /** Applies what waits for these messages, where they are known by now. */
  async function applyParked(scope: WorkspaceScope, waMessageIds: readonly string[]): Promise<void> {
    const waiting = await parked.waitingFor(scope, waMessageIds)
    if (waiting.length === 0) return
    const asked = await transaction(async (tx) => {
      const known = await messages.known(scope, namedBy(waiting), { session: tx.session })
      const found = known.flatMap(({ waMessageId }) => waMessageId ?? [])
      const about = await parked.waitingFor(scope, found, tx)
      if (about.length === 0) return []
      await parked.forget(scope, found, tx)
      return (await carryOut(scope, about, tx)).askedByEdit
    })
    await commands.confirm(scope, asked)
  }

  return { drain, applyParked }
}

const isPiece = (piece: ReadItem): piece is Exclude<ReadItem, { kind: 'account' }> => piece.kind !== 'account'

/** A message from before its number was connected, or what was done with one. */
type PieceOfBefore = Extract<ReadItem, { kind: 'mark' | 'message' }>
const isOfBefore = (piece: ReadItem): piece is PieceOfBefore =>
  (piece.kind === 'message' && piece.history !== undefined) || (piece.kind === 'mark' && piece.isHistory === true)
const timeOf = (piece: PieceOfBefore): Date => (piece.kind === 'mark' ? piece.at : piece.message.at)

const passing = new Set<string | undefined>(['service_unavailable', 'writes_unavailable'])

/**
 * Returns whether the database and not the event caused an error, so that a retry helps: it was unreachable, in no state to
 * write, or had a write conflict. Any other database error is the event's fault, and permanent.
 */
export const isPassing = (error: unknown): boolean =>
  passing.has((error instanceof AppError ? error : translateMongoError(error))?.code)
