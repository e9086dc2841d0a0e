import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type AddNotifications, type NewNotification, titled } from '../../platform/notification.ts'
import type { ConversationsRepository, ConversationsService } from '../inbox/conversations/conversations.service.ts'
import { watches } from './answers.model.ts'
import type { AnswersRepository } from './answers.repository.ts'

const maxDue = 500

interface Dependencies {
  readonly answers: Pick<AnswersRepository, 'read' | 'watch' | 'watched'>
  readonly conversationRecords: Pick<ConversationsRepository, 'read' | 'setDue'>
  readonly conversations: Pick<ConversationsService, 'announce'>
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

/**
 * Watches waits with a response target: shows in the inbox when the answer is due, apart from the counting of events, which would
 * run into those who write; and tells the team, once, that the time has passed.
 */
export function createWatchTargets(deps: Dependencies) {
  const { answers, conversationRecords, conversations, addNotifications, transaction, now = () => new Date() } = deps

  const due = async () => (await answers.watched(now(), maxDue)).map(({ id, workspaceId }) => ({ id, workspaceId }))

  const perform = ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): Promise<void> =>
    transaction(async (tx) => {
      const scope = { workspaceId }
      const { watch, dueAt, open, conversationId } = (await answers.read(scope, id, tx)) ?? {}
      if (!watch || watch.at > now()) return
      const isOver = !open || dueAt === undefined || conversationId === undefined
      await answers.watch(
        scope,
        id,
        isOver || watch.step === 'due' ? undefined : { state: watches, step: 'due', at: dueAt },
        tx,
      )
      if (isOver) return
      if (watch.step === 'show') await show(scope, conversationId, dueAt, tx)
      else await tell(scope, { id, conversationId, dueAt }, tx)
    })

  async function show(scope: WorkspaceScope, conversationId: string, dueAt: Date, tx: Tx): Promise<void> {
    if (await conversationRecords.setDue(scope, conversationId, dueAt, tx))
      await conversations.announce(scope, [conversationId], tx)
  }

  /** A bot's conversation waits for no person, and one that is snoozed was put off by one. */
  async function tell(
    scope: WorkspaceScope,
    { id, conversationId, dueAt }: { id: string; conversationId: string; dueAt: Date },
    tx: Tx,
  ): Promise<void> {
    const current = await conversationRecords.read(scope, conversationId, { session: tx.session })
    if (current?.status !== 'open' || !current.waitingSince) return
    const { kind, id: ownerId } = current.owner
    if (kind !== 'member' && kind !== 'nobody') return
    // Recorded again, so that lists of what is overdue show it.
    const [conversation] = await conversations.announce(scope, [conversationId], tx)
    const notification: NewNotification = {
      key: `target:${id}`,
      category: 'team',
      severity: 'warning',
      title: titled(conversation?.contact.name ?? 'A customer', 'waits longer than the target'),
      body: kind === 'member' ? 'Your answer is due.' : 'Nobody has this conversation yet.',
      action: 'Open the conversation',
      object: { kind: 'conversation', id: conversationId },
      ...(kind === 'member' && ownerId !== undefined && { for: [ownerId] }),
      at: dueAt,
    }
    await addNotifications(scope, [notification], tx)
  }

  return { due, perform }
}
