import type { NewEvent } from '@parley/contracts/platform/events'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MemberRecord } from './workspaces.model.ts'

/**
 * Records a membership as it is after a change: for sessions and pages by an event, for messaging by a message.
 * @param keys API keys of a member who was removed, of which owners are told.
 */
export function recordMember(
  tx: Pick<Tx, 'emit' | 'send'>,
  member: MemberRecord,
  by: NewEvent['by'],
  keys: readonly { readonly id: string; readonly name: string }[] = [],
): void {
  const { id: memberId, workspaceId, userId, role, status = 'active', version } = member
  const data = { memberId, userId, role, status, version }
  tx.emit({ workspaceId, type: 'member.changed', recordId: memberId, version, by, data })
  const { kind, id } = by
  tx.send({
    workspaceId,
    to: 'messaging',
    type: 'member.changed',
    by: { kind, ...(id !== undefined && { id }) },
    data: { ...data, ...(keys.length > 0 && { keys: [...keys] }) },
  })
}
