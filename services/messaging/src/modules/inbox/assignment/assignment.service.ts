import type { Assignment } from '@parley/contracts/inbox/assignment'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type AutomationStates, hasActiveBot } from '../../../platform/automation-states.model.ts'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import type { ConversationsRepository } from '../conversations/conversations.service.ts'
import { isHeldByPerson } from '../conversations/ownership.ts'
import type { AssignmentRepository } from './assignment.repository.ts'

interface Dependencies {
  readonly assignments: AssignmentRepository
  readonly states: Pick<AutomationStates, 'read'>
  readonly conversations: Pick<ConversationsRepository, 'readMany' | 'awaitMember' | 'dueForMember' | 'change'>
  /** Gives a conversation to a member, if it is open and still without an owner. @returns whether it was. */
  readonly give: (scope: WorkspaceScope, conversationId: string, userId: string, tx: Tx) => Promise<boolean>
  readonly checkMembers: MemberFactsService['check']
  readonly countOpenOf: (scope: WorkspaceScope, userId: string) => Promise<number>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Assigns conversations whose wait is over. */
  readonly queue: (records: readonly { readonly id: string; readonly workspaceId: string }[]) => Promise<void>
  readonly now?: () => Date
}

const off: Assignment = { mode: 'off', members: [], version: 0 }
/** Milliseconds that a bot has to take a conversation, or to pass it on, before it is assigned. */
const botFirstMs = 60_000
const maxDue = 500

export type AssignmentService = ReturnType<typeof createAssignmentService>

/** Conversations that customers open are given to members by themselves, where a workspace wants it. */
export function createAssignmentService(deps: Dependencies) {
  const { assignments, states, conversations, give, checkMembers, countOpenOf, transaction, queue } = deps
  const { now = () => new Date() } = deps
  const read = async (scope: WorkspaceScope): Promise<Assignment> => toAssignment(await assignments.read(scope))

  /** @throws `stale_version`; `validation_failed` where one is no member, `service_unavailable` where that cannot be known. */
  async function update(scope: WorkspaceScope, { version, mode, members }: Assignment): Promise<Assignment> {
    const setting = { mode, members: [...new Set(members)] }
    if (mode !== 'off' && setting.members.length === 0)
      throw errors.validation({ members: 'Choose at least one member.' })
    await checkMembers(scope, setting.members, 'members')
    const changed =
      version === 0
        ? await assignments.create(scope, setting).catch((error: unknown) => {
            if (isDuplicateKey(error)) return null
            throw error
          })
        : await assignments.change(scope, version, setting)
    if (!changed) throw errors.staleVersion(await read(scope))
    return toAssignment(changed)
  }

  /**
   * Assigns conversations that events report without an owner, in the transaction that marks the events as read. Where a bot
   * answers it comes first: the conversation waits until that has taken it or passed it on, for a minute at most.
   */
  async function assign(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const waiting = new Map(events.flatMap(waitingIn))
    if (waiting.size === 0) return
    const setting = await settingOf(scope, tx)
    if (!setting) return
    const state = await states.read(scope, { session: tx.session })
    const known = await conversations.readMany(scope, [...waiting.keys()], { session: tx.session })
    // A conversation whose owner has changed since has a newer event, which is handled on its own.
    const current = known.filter(({ id, ownerVersion = 1 }) => ownerVersion <= (waiting.get(id) ?? 0))
    const [forBots, forMembers] = [true, false].map((isForBot) =>
      current.filter(
        (conversation) =>
          (hasActiveBot(state, conversation.numberId) && !isHeldByPerson(conversation, now())) === isForBot,
      ),
    )
    const begun = (forBots ?? []).flatMap(({ id, assignment }) => (assignment ? [] : id))
    if (begun.length > 0)
      await conversations.awaitMember(scope, begun, new Date(now().getTime() + botFirstMs), { session: tx.session })
    await giveAll(
      scope,
      (forMembers ?? []).map(({ id }) => id),
      setting,
      tx,
    )
  }

  /** The setting of a workspace that wants conversations to be assigned. */
  async function settingOf(scope: WorkspaceScope, tx: Tx): Promise<Assignment | undefined> {
    const setting = toAssignment(await assignments.read(scope, { session: tx.session }))
    return setting.mode === 'off' || setting.members.length === 0 ? undefined : setting
  }

  async function giveAll(scope: WorkspaceScope, ids: readonly string[], { mode, members }: Assignment, tx: Tx) {
    if (ids.length === 0) return
    const next = mode === 'round_robin' ? await inTurn(scope, members, tx) : await byLoad(scope, members)
    let last: string | undefined
    for (const id of ids) {
      const member = next()
      if (!(await give(scope, id, member.userId, tx))) continue
      member.assigned()
      last = member.userId
    }
    if (last !== undefined && mode === 'round_robin')
      await assignments.setLastTurn(scope, last, { session: tx.session })
  }

  /** Bots have passed conversations on, or gave them back: those without an owner are assigned now. */
  async function releaseToAssignment(scope: WorkspaceScope, conversationIds: readonly string[]): Promise<void> {
    const { mode } = await read(scope)
    if (mode === 'off' || conversationIds.length === 0) return
    await conversations.awaitMember(scope, conversationIds, now())
    await wake(scope, conversationIds)
  }

  /** Looks at conversations that a committed change has made due. */
  const wake = ({ workspaceId }: WorkspaceScope, conversationIds: readonly string[]) =>
    queue(conversationIds.map((id) => ({ id, workspaceId })))

  /** Conversations whose wait for a bot is over, as work. */
  const due = async () =>
    (await conversations.dueForMember(now(), maxDue)).map(({ id, workspaceId }) => ({ id, workspaceId }))

  /** Assigns a conversation whose wait is over, unless somebody has it or a bot was faster. */
  const assignDue = ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): Promise<void> =>
    transaction(async (tx) => {
      const scope = { workspaceId }
      const [current] = await conversations.readMany(scope, [id], { session: tx.session })
      if (!current?.assignment || current.assignment.at > now()) return
      const setting = current.status === 'open' && current.owner.kind === 'nobody' && (await settingOf(scope, tx))
      if (setting) await giveAll(scope, [id], setting, tx)
      else await conversations.change(scope, id, { $unset: { assignment: '' } }, { session: tx.session })
    })

  /** A member has left the workspace: nothing is given to them any more. */
  const leaveOut = async (scope: WorkspaceScope, userId: string, { session }: Pick<Tx, 'session'>): Promise<void> => {
    await assignments.leaveOut(scope, userId, { session })
  }

  async function inTurn(scope: WorkspaceScope, members: readonly string[], tx: Tx): Promise<() => Candidate> {
    const last = await assignments.lastTurn(scope, { session: tx.session })
    let turn = last === undefined ? 0 : (members.indexOf(last) + 1) % members.length
    return () => ({
      userId: members[turn] ?? '',
      assigned: () => {
        turn = (turn + 1) % members.length
      },
    })
  }

  async function byLoad(scope: WorkspaceScope, members: readonly string[]): Promise<() => Candidate> {
    const loads = await Promise.all(members.map(async (userId) => ({ userId, open: await countOpenOf(scope, userId) })))
    return () => {
      const least = loads.reduce((found, load) => (load.open < found.open ? load : found))
      return {
        userId: least.userId,
        assigned: () => {
          least.open += 1
        },
      }
    }
  }

  return { read, update, assign, releaseToAssignment, wake, due, assignDue, leaveOut }
}

interface Candidate {
  readonly userId: string
  /** The member has been given one. */
  readonly assigned: () => void
}

/** Returns the conversation's id and version if a customer has written and it has no owner. */
function waitingIn(event: RecordedEvent): [string, number][] {
  if (event.type !== 'conversation.changed') return []
  const { id, owner, status, lastMessage, version = 0 } = event.data.conversation
  return owner.kind === 'nobody' && status === 'open' && lastMessage.direction === 'inbound' ? [[id, version]] : []
}

function toAssignment(record: Assignment | null): Assignment {
  if (!record) return off
  const { mode, members, version } = record
  return { mode, members, version }
}
