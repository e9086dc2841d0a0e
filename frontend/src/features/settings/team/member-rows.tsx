import type { Member } from '@parley/contracts/account/members'
import { can, isWithin, type Role } from '@parley/contracts/account/permissions'
import { Avatar } from '../../../ui/avatar.tsx'
import type { RowAction } from '../../../ui/row-dropdown.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { roleWords } from './roles.ts'
import styles from './team.module.css'
import type { Asked } from './team-api.ts'

interface Own {
  readonly userId: string
  readonly role: Role
}

/** Members by name, each with what the signed-in person may do with them. */
export function MemberRows({
  members,
  own,
  onAsk,
}: {
  members: readonly Member[]
  own: Own
  onAsk: (asked: Asked) => void
}) {
  return (
    <ul className={styles['rows']}>
      {members.map((member) => {
        const actions = actionsOf(member, own, onAsk)
        return (
          <li key={member.id} className={styles['row']}>
            <Avatar name={member.name} size={32} />
            <div className={styles['who']}>
              <p className={styles['name']} dir="auto">
                {member.name}
                {member.userId === own.userId && <span className={styles['you']}>You</span>}
              </p>
              <p className={styles['detail']}>{member.email}</p>
            </div>
            <span className={styles['role']}>{roleWords[member.role].label}</span>
            <span className={styles['menu']}>
              {actions.length > 0 && <RowMenu label={`Actions for ${member.name}`} actions={actions} />}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Members of a higher role cannot be changed. One's own role can be lowered; leaving has a button of its own. */
function actionsOf(member: Member, own: Own, onAsk: (asked: Asked) => void): RowAction[] {
  const isSelf = member.userId === own.userId
  const isInReach = isWithin(member.role, own.role)
  return [
    ...(can(own.role, 'members:change') && isInReach
      ? [{ key: 'role', label: 'Change Role', onSelect: () => onAsk({ kind: 'role', member }) }]
      : []),
    ...(can(own.role, 'workspace:transfer') && !isSelf
      ? [{ key: 'transfer', label: 'Transfer Workspace', onSelect: () => onAsk({ kind: 'transfer', member }) }]
      : []),
    ...(can(own.role, 'members:remove') && isInReach && !isSelf
      ? [{ key: 'remove', label: 'Remove', danger: true, onSelect: () => onAsk({ kind: 'remove', member }) }]
      : []),
  ]
}
