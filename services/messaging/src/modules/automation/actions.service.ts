import { createHash } from 'node:crypto'
import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { AutomationStates } from '../../platform/automation-states.model.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import { toContact } from '../contacts/contact-fields.ts'
import type { AssignmentService } from '../inbox/assignment/assignment.service.ts'
import { changeFrom } from '../inbox/conversations/conversation-effects.ts'
import type {
  ConversationRecord,
  ConversationsRepository,
  ConversationsService,
} from '../inbox/conversations/conversations.service.ts'
import { isHeldByPerson } from '../inbox/conversations/ownership.ts'
import { type ActionPlace, createActionEffects, needsConversation, takenMessage } from './action-effects.ts'
import type { ActionKeyRecord } from './action-keys.repository.ts'
import { createActionKeys } from './action-keys.repository.ts'
import { toSnapshot } from './event-facts.ts'
import { type ActionRequest, createPrepareActions, type Prepared, type Refusal, refusalOf } from './prepare-actions.ts'

type Answer = EndpointResponse<typeof messagingInternalApi.actions>
type Result = Omit<ActionKeyRecord, 'id' | 'workspaceId' | 'createdAt'>
type Action = ActionRequest['actions'][number]

type PreparingAndEffects = Parameters<typeof createPrepareActions>[0] & Parameters<typeof createActionEffects>[0]
interface Dependencies extends PreparingAndEffects {
  readonly mongo: ServiceConnection
  readonly automationStates: Pick<AutomationStates, 'read'>
  readonly conversations: Pick<ConversationsService, 'announce' | 'ensure'>
  readonly conversationRecords: Pick<ConversationsRepository, 'change' | 'read' | 'withContact'>
  readonly numbers: Pick<NumbersService, 'defaultId' | 'read'>
  readonly assignment: Pick<AssignmentService, 'wake'>
  readonly transaction: RunInTransaction
  readonly wakeSender: (lane: number) => void
  readonly now?: Clock
}

/** Performs actions of bots and workflows in a conversation: all in one transaction, each key once, whichever process dies. */
export function createActions(deps: Dependencies) {
  const { conversations, assignment, transaction, wakeSender, now = () => new Date() } = deps
  const keys = createActionKeys(deps.mongo)
  const prepare = createPrepareActions(deps)
  const effects = createActionEffects(deps)

  /**
   * @returns the results up to the first refusal, and the facts after them. `typingIn` where the customer is to see that somebody types.
   * @throws `not_found`; `idempotency_key_reused` for another action under a key.
   */
  async function act(
    scope: WorkspaceScope,
    request: ActionRequest,
  ): Promise<{ answer: Answer; typingIn?: ConversationRecord }> {
    if (new Set(request.actions.map(({ key }) => key)).size < request.actions.length)
      throw errors.validation({ actions: 'Two actions have the same key.' })
    const place = await placeOf(scope, request)
    const before = await effects.readTarget(scope, place)
    const { returnHours } = (await deps.automationStates.read(scope)) ?? {}
    const prepared = new Map<string, Prepared>()
    for (const action of request.actions)
      prepared.set(action.key, await prepare(scope, action, { by: request.by, ...before }))
    const run = () => transaction((tx) => actIn(scope, { ...request, place, returnHours }, prepared, tx))
    // Another call with the same keys was faster: its results are found now.
    const { results, target, fresh, waits } = await run().catch((error: unknown) =>
      isDuplicateKey(error) ? run() : Promise.reject(error),
    )
    const { conversation, contact } = target
    if (conversation && results.some(({ messageId }) => messageId !== undefined))
      wakeSender(laneOf(conversation.numberId))
    if (conversation && waits) await assignment.wake(scope, [conversation.id])
    const at = now()
    const isTyping = request.actions.some(({ type, key }) => type === 'typing' && fresh.has(key))
    return {
      answer: {
        results: results.map(({ hash: _hash, epoch: _epoch, ...result }) => result),
        facts: {
          epoch: epochOf(conversation),
          heldByPerson: conversation !== undefined && isHeldByPerson(conversation, at, returnHours),
          snapshot: {
            contact: toContact(contact),
            ...(conversation && { conversation: inAnswer(toSnapshot(conversation, at, returnHours)) }),
          },
          now: at.toISOString(),
        },
      },
      ...(isTyping && conversation && { typingIn: conversation }),
    }
  }

  /** Finds the conversation that actions are about. One is begun only for what is said in it. */
  async function placeOf(
    scope: WorkspaceScope,
    { conversationId, contactId, actions }: ActionRequest,
  ): Promise<ActionPlace> {
    if (!isId(conversationId ?? contactId ?? '')) throw errors.notFound('There is no such conversation.')
    if (conversationId !== undefined || contactId === undefined) return { conversationId }
    const known = (await deps.conversationRecords.withContact(scope, contactId)).find(({ merged }) => !merged)
    if (known || !actions.some(needsConversation)) return { contactId, conversationId: known?.id }
    const numberId = await deps.numbers.defaultId(scope)
    if (numberId === undefined) return { contactId }
    // A member who is gone gets no conversation.
    await effects.readTarget(scope, { contactId })
    const [begun] = (await conversations.ensure(scope, [{ numberId, contactId }])).values()
    return { contactId, conversationId: begun }
  }

  async function actIn(
    scope: WorkspaceScope,
    {
      place,
      returnHours,
      conversationId,
      contactId,
      epoch,
      by,
      chain,
      actions,
    }: ActionRequest & {
      readonly place: ActionPlace
      readonly returnHours: number | undefined
    },
    prepared: ReadonlyMap<string, Prepared>,
    tx: Tx,
  ) {
    const caused: Tx = {
      ...tx,
      emit: (event) => tx.emit({ ...event, by: { kind: by.kind, id: by.id, runId: by.runId }, chain: [...chain] }),
    }
    const first = await effects.readTarget(scope, place, { session: tx.session })
    const names = actions.map(({ key }) => key)
    const known = await keys.known(scope, names, tx)
    const results: Result[] = []
    const fresh: Result[] = []
    let target = first
    let expected = epoch
    let reason: 'bot' | 'returned' | 'assigned' | undefined
    let waits = false
    const did: { claimed?: true; completed?: true } = {}
    for (const action of actions) {
      const hash = hashOf(conversationId ?? contactId ?? '', action)
      const kept = known.get(action.key)
      if (kept && kept.hash !== hash)
        throw new AppError('idempotency_key_reused', 'This key was used for another action.')
      if (kept) expected = kept.epoch ?? expected
      const result = kept ?? (await once(action, hash))
      results.push(pick(result))
      if (result.outcome === 'refused') break
    }
    await keys.add(scope, fresh, tx)
    const { conversation } = target
    if (
      conversation &&
      first.conversation &&
      (reason !== undefined || epochOf(conversation) !== epochOf(first.conversation))
    )
      await conversations.announce(scope, [conversation.id], caused, {
        became: changeFrom(first.conversation, reason ?? 'returned', did),
      })
    return {
      results,
      target: await effects.readTarget(scope, place, { session: tx.session }),
      waits,
      fresh: new Set(fresh.map(({ key }) => key)),
    }

    async function once(action: Action, hash: string): Promise<Result> {
      const { key } = action
      const refused = (refusal: Refusal): Result => ({ key, hash, outcome: 'refused', ...refusal })
      const before = refusalBefore(action)
      const result = before
        ? refused(before)
        : await perform(action).then(
            (done): Result => ({ key, hash, outcome: 'done', ...done }),
            (error: unknown) => refused(refusalOf(error)),
          )
      fresh.push(result)
      return result
    }

    function refusalBefore({ type, key }: Action): Refusal | undefined {
      const { conversation, contact } = target
      if (type !== 'claim' && expected !== undefined && expected !== epochOf(conversation))
        return { code: 'conversation_taken', message: takenMessage }
      if ((type === 'send' || type === 'send_template') && contact.blocked)
        return { code: 'blocked', message: 'This contact is blocked. Unblock the contact to message them.' }
      const preparation = prepared.get(key)
      return preparation && 'refusal' in preparation ? preparation.refusal : undefined
    }

    async function perform(action: Action): Promise<Pick<Result, 'messageId' | 'epoch'>> {
      const preparation = prepared.get(action.key) ?? {}
      if ('refusal' in preparation) throw errors.internal()
      const effect = await effects.apply(
        scope,
        action,
        { at: target, prepared: preparation, by, expected, now: now(), returnHours },
        caused,
      )
      target = await effects.readTarget(scope, place, { session: tx.session })
      reason = effect.owned ?? reason
      waits ||= effect.waits === true
      if (action.type === 'claim') did.claimed = true
      if (effect.completed) did.completed = true
      const ownerEpoch = epochOf(target.conversation)
      const isNewEpoch = ownerEpoch !== epochOf(first.conversation)
      if (isNewEpoch && (expected !== undefined || action.type === 'claim')) expected = ownerEpoch
      return {
        ...(effect.messageId !== undefined && { messageId: effect.messageId }),
        ...(isNewEpoch && { epoch: ownerEpoch }),
      }
    }
  }

  return { act }
}

const pick = ({ key, hash, outcome, code, message, messageId, epoch }: Result): Result => ({
  key,
  hash,
  outcome,
  ...(code !== undefined && { code }),
  ...(message !== undefined && { message }),
  ...(messageId !== undefined && { messageId }),
  ...(epoch !== undefined && { epoch }),
})

/** Versions before know what a run has claimed by the kind `bot` alone. */
const inAnswer = (conversation: ReturnType<typeof toSnapshot>): ReturnType<typeof toSnapshot> =>
  conversation.owner.kind === 'workflow'
    ? { ...conversation, owner: { ...conversation.owner, kind: 'bot' } }
    : conversation

const epochOf = (conversation: ConversationRecord | undefined): number => conversation?.ownerEpoch ?? 0

const hashOf = (about: string, { key: _key, ...action }: Action): string =>
  createHash('sha256')
    .update(JSON.stringify([about, action]))
    .digest('base64url')
