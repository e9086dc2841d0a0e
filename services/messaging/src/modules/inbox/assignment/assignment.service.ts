import type { Assignment } from '@parley/contracts/inbox/assignment'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Queues } from '@parley/service-kit/queue/queues'
import { type AutomationStates, hasActiveBot } from '../../../platform/automation-states.model.ts'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import type { AwayAnswer } from '../away-answer/away-answer.service.ts'
import type { ConversationChanges } from '../conversations/changes.service.ts'
import type {
  ConversationRecord,
  ConversationsRepository,
  ConversationsService,
} from '../conversations/conversations.service.ts'
import { isHeldByPerson, isQueued } from '../conversations/ownership.ts'
import type { AssignmentRepository } from './assignment.repository.ts'
import { createGiveOut, type GiveOutDependencies } from './give-out.ts'

interface Dependencies extends Omit<GiveOutDependencies, 'assignments' | 'conversationRecords' | 'now'> {
  readonly assignments: AssignmentRepository
  readonly automationStates: Pick<AutomationStates, 'read'>
  readonly awayAnswer: Pick<AwayAnswer, 'answerLeft' | 'answerPassed' | 'after'>
  readonly conversationRecords: GiveOutDependencies['conversationRecords'] &
    Pick<ConversationsRepository, 'readMany' | 'awaitMember' | 'dueForMember' | 'leaveToPeople'>
  readonly conversations: Pick<ConversationsService, 'announce'>
  readonly changes: Pick<ConversationChanges, 'give' | 'takeFromAway'>
  readonly members: Pick<MemberFactsService, 'check'>
  readonly queues: Pick<Queues, 'jobs'>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly now?: () => Date
}

/** Milliseconds that a bot has to take a conversation, or to pass it on, before it is assigned. */
const botFirstMs = 60_000
const maxDue = 500

export type AssignmentService = ReturnType<typeof createAssignmentService>

/** Conversations that customers open are given to members by themselves, where a workspace wants it. */
export function createAssignmentService(deps: Dependencies) {
  const { assignments, automationStates: states, conversationRecords: conversations, members: known } = deps
  const { changes, queues, transaction, now = () => new Date() } = deps
  /** Has conversations assigned whose wait for a bot is over. */
  const queue = queues.jobs('assignment-due').add
  /** Has given out what waits in the queue of a workspace. */
  const queueWorkspace = queues.jobs('assignment-queue', { keepsWakes: true }).add
  const giveOut = createGiveOut({ ...deps, now })
  const read = (scope: WorkspaceScope): Promise<Assignment> => assignments.read(scope)

  /** @throws `stale_version`; `validation_failed` where one is no member, `service_unavailable` where that cannot be known. */
  async function update(scope: WorkspaceScope, { limits, ...wanted }: Assignment): Promise<Assignment> {
    const members = [...new Set(wanted.members)]
    if (wanted.mode !== 'off' && members.length === 0)
      throw errors.validation({ members: 'Choose at least one member.' })
    const own = new Map(limits.map((one) => [one.userId, one]))
    await known.check(scope, members, 'members')
    await known.check(scope, [...own.keys()], 'limits')
    const setting = { ...wanted, members, limits: [...own.values()] }
    const changed = await transaction(({ session }) =>
      assignments.change(scope, setting, { session, lookAt: now() }),
    ).catch((error: unknown) => {
      if (isDuplicateKey(error)) return null
      throw error
    })
    if (!changed) throw errors.staleVersion(await read(scope))
    await wakeQueue(scope)
    return changed
  }

  /**
   * Assigns conversations that events report without an owner, in the transaction that marks the events as read. Where a bot
   * answers it comes first: the conversation waits until that has taken it or passed it on, for a minute at most. Events after which
   * a member may have room have the queue looked at. Those that wake up for a member who is away are taken from them first: they are
   * assigned with the event of that.
   */
  async function assign(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    await returnWoken(scope, new Map(events.flatMap(wokenIn)), tx)
    const waiting = new Map(events.flatMap(waitingIn))
    if (waiting.size === 0 && !events.some(makesRoom)) return
    const setting = await assignments.read(scope, { session: tx.session })
    if (setting.mode === 'off') return
    const arrivals = waiting.size > 0 ? await arrivalsOf(scope, waiting, tx) : []
    await giveOut(scope, arrivals, tx)
  }

  async function returnWoken(scope: WorkspaceScope, ownerOf: ReadonlyMap<string, string>, tx: Tx): Promise<void> {
    if (ownerOf.size === 0) return
    const absences = await assignments.absences(scope, { session: tx.session })
    const away = new Set(absences.flatMap(({ userId, until }) => (!until || until > now() ? userId : [])))
    for (const [id, userId] of ownerOf) if (away.has(userId)) await changes.takeFromAway(scope, id, userId, tx)
  }

  /** Those of the conversations that are for members now. Those for bots begin to wait. */
  async function arrivalsOf(scope: WorkspaceScope, waiting: ReadonlyMap<string, number>, tx: Tx) {
    const { session } = tx
    const state = await states.read(scope, { session })
    const known = await conversations.readMany(scope, [...waiting.keys()], { session })
    // A conversation whose owner has changed since has a newer event, which is handled on its own.
    const current = known.filter(
      ({ id, ownerVersion = 1, status, owner }) =>
        ownerVersion <= (waiting.get(id) ?? 0) && status === 'open' && owner.kind === 'nobody',
    )
    const [forBots = [], forMembers = []] = [true, false].map((isForBot) =>
      current.filter(
        (conversation) =>
          (hasActiveBot(state, conversation.numberId) && !isHeldByPerson(conversation, now(), state?.returnHours)) ===
          isForBot,
      ),
    )
    const begun = forBots.flatMap(({ id, assignment }) => (assignment ? [] : id))
    if (begun.length > 0)
      await conversations.awaitMember(scope, begun, new Date(now().getTime() + botFirstMs), { session })
    return forMembers.filter((conversation) => !isQueued(conversation))
  }

  /** Bots have passed conversations on, or gave them back: those without an owner are for people now, and are assigned. */
  async function releaseToAssignment(scope: WorkspaceScope, passed: readonly string[]): Promise<void> {
    if (passed.length === 0) return
    // A merge may have moved their messages meanwhile.
    const conversationIds = (await conversations.readMany(scope, passed)).map(({ id, merged }) => merged?.id ?? id)
    await leaveToPeople(scope, conversationIds)
    await deps.awayAnswer.answerPassed(scope, conversationIds)
    const { mode } = await read(scope)
    if (mode === 'off') return
    await conversations.awaitMember(scope, conversationIds, now())
    await wake(scope, conversationIds)
  }

  /**
   * Has customers wait for a person with what nobody answers, also while a bot has the conversation; shows it to people where a bot's
   * answer came after it and has hidden it.
   */
  async function leaveToPeople(scope: WorkspaceScope, conversationIds: readonly string[]): Promise<void> {
    const { returnHours } = (await states.read(scope)) ?? {}
    const isNew = (one: ConversationRecord) =>
      one.status === 'open' && !one.forPersonSince && !isHeldByPerson(one, now(), returnHours)
    const found = (await conversations.readMany(scope, conversationIds)).filter(isNew)
    if (found.length === 0) return
    await transaction(async (tx) => {
      const { session } = tx
      const known = await conversations.readMany(
        scope,
        found.map(({ id }) => id),
        { session },
      )
      const left = known.filter(isNew)
      await conversations.leaveToPeople(
        scope,
        left.map(({ id }) => id),
        now(),
        { session },
      )
      const hidden = left.filter(({ waitingSince }) => !waitingSince)
      await deps.conversations.announce(
        scope,
        hidden.map(({ id }) => id),
        tx,
      )
    })
  }

  /** Looks at conversations that a committed change has made due. */
  const wake = ({ workspaceId }: WorkspaceScope, conversationIds: readonly string[]) =>
    queue(conversationIds.map((id) => ({ id, workspaceId })))

  /** Gives out the queue after a committed change by which a member may have room. */
  const wakeQueue = ({ workspaceId }: WorkspaceScope) => queueWorkspace([{ id: workspaceId, workspaceId }])

  /** Conversations whose wait for a bot is over, as work. */
  const due = async () =>
    (await conversations.dueForMember(now(), maxDue)).map(({ id, workspaceId }) => ({ id, workspaceId }))

  /** Assigns a conversation whose wait is over, unless somebody has it or a bot was faster; outside the hours it is answered so. */
  async function assignDue({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): Promise<void> {
    const scope = { workspaceId }
    await transaction(async (tx) => {
      const { session } = tx
      const [current] = await conversations.readMany(scope, [id], { session })
      if (!current?.assignment || isQueued(current) || current.assignment.at > now()) return
      await deps.awayAnswer.answerLeft(scope, [current], tx)
      const { mode } = await assignments.read(scope, { session })
      if (mode === 'off' || current.status !== 'open' || current.owner.kind !== 'nobody')
        await conversations.leaveQueue(scope, id, { session })
      else await giveOut(scope, [current], tx)
    })
    await deps.awayAnswer.after(scope)
  }

  /** Workspaces whose queue is to be looked at, as work. */
  const dueQueues = async () =>
    (await assignments.dueQueues(now())).map(({ workspaceId }) => ({ id: workspaceId, workspaceId }))

  /** Gives out the queue of a workspace for as long as members have room. */
  async function giveQueued({ workspaceId }: { readonly workspaceId: string }): Promise<void> {
    for (let hasMore = true; hasMore; ) hasMore = await transaction((tx) => giveOut({ workspaceId }, [], tx))
  }

  /** A member has left the workspace: nothing is given to them any more. */
  const leaveOut = (scope: WorkspaceScope, userId: string, { session }: Pick<Tx, 'session'>): Promise<void> =>
    assignments.leaveOut(scope, userId, { session })

  return { read, update, assign, releaseToAssignment, wake, due, assignDue, dueQueues, giveQueued, leaveOut }
}

/** Returns the conversation's id and version if a customer has written and it has no owner. */
function waitingIn(event: RecordedEvent): [string, number][] {
  if (event.type !== 'conversation.changed') return []
  const { id, owner, status, lastMessage, version = 0 } = event.data.conversation
  return owner.kind === 'nobody' && status === 'open' && lastMessage.direction === 'inbound' ? [[id, version]] : []
}

/** Returns the ids of a conversation that is not snoozed any more and of the member who has it. */
function wokenIn(event: RecordedEvent): [string, string][] {
  if (event.type !== 'conversation.changed' || !event.data.became?.woken) return []
  const { id, owner } = event.data.conversation
  return owner.kind === 'member' && owner.id !== undefined ? [[id, owner.id]] : []
}

/** Returns whether a member may have fewer open conversations after an event, or be available again. */
function makesRoom(event: RecordedEvent): boolean {
  if (event.type === 'availability.changed') return true
  if (event.type !== 'conversation.changed') return false
  const { conversation, became } = event.data
  return conversation.status !== 'open' || became?.owned !== undefined
}
