import type { Assignment } from '@parley/contracts/inbox/assignment'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import type { AssignmentRepository } from './assignment.repository.ts'

interface Dependencies {
  readonly assignments: AssignmentRepository
  /** Gives a conversation to a member, if it is open and still without an owner. @returns whether it was. */
  readonly give: (scope: WorkspaceScope, conversationId: string, userId: string, tx: Tx) => Promise<boolean>
  readonly checkMembers: MemberFactsService['check']
  readonly countOpenOf: (scope: WorkspaceScope, userId: string) => Promise<number>
}

const off: Assignment = { mode: 'off', members: [], version: 0 }

/** Conversations that customers open are given to members by themselves, where a workspace wants it. */
export function createAssignmentService({ assignments, give, checkMembers, countOpenOf }: Dependencies) {
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

  /** Assigns conversations that events report without an owner, in the transaction that marks the events as read. */
  async function assign(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const waiting = [...new Set(events.flatMap(waitingIn))]
    if (waiting.length === 0) return
    const { mode, members } = toAssignment(await assignments.read(scope, { session: tx.session }))
    if (mode === 'off' || members.length === 0) return
    const next = mode === 'round_robin' ? await inTurn(scope, members, tx) : await byLoad(scope, members)
    let last: string | undefined
    for (const id of waiting) {
      const member = next()
      if (!(await give(scope, id, member.userId, tx))) continue
      member.assigned()
      last = member.userId
    }
    if (last !== undefined && mode === 'round_robin')
      await assignments.setLastTurn(scope, last, { session: tx.session })
  }

  async function inTurn(scope: WorkspaceScope, members: readonly string[], tx: Tx): Promise<() => Candidate> {
    const last = await assignments.lastTurn(scope, { session: tx.session })
    let place = last === undefined ? 0 : (members.indexOf(last) + 1) % members.length
    return () => ({
      userId: members[place] ?? '',
      assigned: () => {
        place = (place + 1) % members.length
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

  return { read, update, assign }
}

interface Candidate {
  readonly userId: string
  /** The member has been given one. */
  readonly assigned: () => void
}

/** Returns the conversation's id if a customer has written and it has no owner. */
function waitingIn(event: RecordedEvent): string[] {
  if (event.type !== 'conversation.changed') return []
  const { id, owner, status, lastMessage } = event.data.conversation
  return owner.kind === 'nobody' && status === 'open' && lastMessage.direction === 'inbound' ? [id] : []
}

function toAssignment(record: Assignment | null): Assignment {
  if (!record) return off
  const { mode, members, version } = record
  return { mode, members, version }
}
