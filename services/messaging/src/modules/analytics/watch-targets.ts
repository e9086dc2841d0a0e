import { afterOpenSeconds, openSecondsBetween } from '@parley/contracts/inbox/open-time'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type AddNotifications, type NewNotification, titled } from '../../platform/notification.ts'
import type { ConversationsRepository, ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { OpeningHoursService } from '../inbox/opening-hours/opening-hours.service.ts'
import { type AnswerRecord, watches } from './answers.model.ts'
import type { AnswersRepository } from './answers.repository.ts'

const maxDue = 500
/** Part of the time until `dueAt` after which its member is reminded. */
const nearPart = 0.8

interface Dependencies {
  readonly answers: Pick<AnswersRepository, 'read' | 'watch' | 'watched'>
  readonly conversationRecords: Pick<ConversationsRepository, 'read' | 'setDue'>
  readonly conversations: Pick<ConversationsService, 'announce' | 'showAll'>
  readonly openingHours: Pick<OpeningHoursService, 'read'>
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
  readonly now?: () => Date
}

/**
 * Watches waits with a response target: shows in the inbox when the answer is due, apart from the counting of events, which would
 * run into those who write; reminds its member before the time has passed; and tells the team, once, that it has: the member and those
 * who run the workspace, or everybody where nobody has the conversation.
 */
export function createWatchTargets(deps: Dependencies) {
  const { answers, conversationRecords, conversations, openingHours, addNotifications, transaction } = deps
  const { now = () => new Date() } = deps

  const due = async () => (await answers.watched(now(), maxDue)).map(({ id, workspaceId }) => ({ id, workspaceId }))

  const perform = ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): Promise<void> =>
    transaction(async (tx) => {
      const scope = { workspaceId }
      const answer = await answers.read(scope, id, tx)
      const { watch, since, dueAt, open, conversationId } = answer ?? {}
      if (!watch || !since || watch.at > now()) return
      const wait = open && dueAt && conversationId !== undefined ? { id, since, dueAt, conversationId } : undefined
      await answers.watch(scope, id, wait && (await next(scope, watch.step, wait, tx)), tx)
      if (!wait) return
      if (watch.step === 'show') await show(scope, conversationId ?? '', wait.dueAt, tx)
      else if (watch.step === 'due') await tell(scope, wait, tx)
      else if (wait.dueAt > now()) await remind(scope, wait, tx)
    })

  /** Next step about a wait. */
  async function next(
    scope: WorkspaceScope,
    step: NonNullable<AnswerRecord['watch']>['step'],
    { since, dueAt }: Wait,
    { session }: Tx,
  ): Promise<AnswerRecord['watch']> {
    if (step === 'due') return undefined
    if (step === 'near') return { state: watches, step: 'due', at: dueAt }
    const hours = await openingHours.read(scope, { session })
    const near = afterOpenSeconds(hours, since, openSecondsBetween(hours, since, dueAt) * nearPart)
    return { state: watches, step: 'near', at: near && near < dueAt ? near : dueAt }
  }

  async function show(scope: WorkspaceScope, conversationId: string, dueAt: Date, tx: Tx): Promise<void> {
    if (await conversationRecords.setDue(scope, conversationId, dueAt, tx))
      await conversations.announce(scope, [conversationId], tx)
  }

  /** Returns the conversation of a wait, where a person is to answer: a bot's is not, nor is one that was snoozed. */
  async function waiting(scope: WorkspaceScope, { conversationId }: Wait, { session }: Tx) {
    const current = await conversationRecords.read(scope, conversationId, { session })
    if (current?.status !== 'open' || !current.waitingSince) return undefined
    const { kind, id: ownerId } = current.owner
    if (kind === 'nobody') return { current }
    return kind === 'member' && ownerId !== undefined ? { current, ownerId } : undefined
  }

  async function remind(scope: WorkspaceScope, wait: Wait, tx: Tx): Promise<void> {
    const { current, ownerId } = (await waiting(scope, wait, tx)) ?? {}
    if (!current || ownerId === undefined) return
    const [conversation] = await conversations.showAll(scope, [current])
    const words = {
      severity: 'info',
      what: 'waits for your answer',
      body: 'Most of the target’s time is over.',
    } as const
    const key = `target-near:${wait.id}`
    const notice = noticeOf(wait, { key, ...words, name: conversation?.contact.name, at: now() })
    await addNotifications(scope, [{ ...notice, for: [ownerId] }], tx)
  }

  async function tell(scope: WorkspaceScope, wait: Wait, tx: Tx): Promise<void> {
    const found = await waiting(scope, wait, tx)
    if (!found) return
    // Recorded again, so that lists of what is overdue show it.
    const [conversation] = await conversations.announce(scope, [wait.conversationId], tx)
    const { ownerId } = found
    const common = {
      severity: 'warning',
      what: 'waits longer than the target',
      name: conversation?.contact.name,
    } as const
    const of = (key: string, body: string) => noticeOf(wait, { ...common, key, body, at: wait.dueAt })
    const key = `target:${wait.id}`
    const notices: NewNotification[] =
      ownerId === undefined
        ? [of(key, 'Nobody has this conversation yet.')]
        : [
            { ...of(key, 'Your answer is due.'), for: [ownerId] },
            { ...of(`${key}:admins`, 'Its member has not answered in time.'), category: 'target' },
          ]
    await addNotifications(scope, notices, tx)
  }

  return { due, perform }
}

interface Wait {
  readonly id: string
  readonly since: Date
  readonly dueAt: Date
  readonly conversationId: string
}

const noticeOf = (
  { conversationId }: Wait,
  {
    what,
    name = 'A customer',
    ...rest
  }: Pick<NewNotification, 'key' | 'severity' | 'body' | 'at'> & {
    readonly what: string
    readonly name?: string | undefined
  },
): NewNotification => ({
  ...rest,
  category: 'team',
  title: titled(name, what),
  action: 'Open the conversation',
  object: { kind: 'conversation', id: conversationId },
})
