import LogoutOutlined from '@ant-design/icons/LogoutOutlined'
import { can } from '@parley/contracts/account/permissions'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router-dom'
import { signOut } from '../../lib/auth/sign-in.ts'
import { useLoaded } from '../../lib/use-loaded.ts'
import { useUser } from '../../lib/user.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { paths } from '../paths.ts'
import styles from './sidebar.module.css'

/** Reads who is away, which must not delay the screen that is opening. */
const loadAvailability = async () => {
  await whenIdle()
  return (await import('./idle.ts')).AvailabilityMenu
}

/** Photo or first letter, first name, View Profile, availability, Logout. */
export function SidebarFooter({ collapsed, onNavigate }: { collapsed: boolean; onNavigate: (() => void) | undefined }) {
  const user = useUser().data
  const navigate = useNavigate()
  const Availability = useLoaded(loadAvailability)
  const mayAnswer = !user?.role || can(user.role, 'conversations:write')
  // Its place is kept until it is loaded: nothing below the list moves.
  const availability =
    mayAnswer &&
    (Availability ? <Availability collapsed={collapsed} /> : <span className={styles['item']} aria-hidden />)
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate(paths.login, { replace: true }),
    onError: () => toast.error('Failed to sign out'),
  })
  const logOut = () => {
    if (!leave.isPending) leave.mutate()
  }
  // A rail of 48 px leaves room for 32.
  const avatar = <Avatar name={user?.firstName ?? ''} src={user?.profileImageUrl} size={collapsed ? 32 : 40} />

  if (collapsed)
    return (
      <div className={styles['footer']}>
        <Tooltip text="View Profile" side="right">
          <Link to={paths.profile} className={styles['avatarLink']} aria-label="View Profile" onClick={onNavigate}>
            {avatar}
          </Link>
        </Tooltip>
        {availability}
        <Tooltip text="Logout" side="right">
          <button
            type="button"
            className={styles['item']}
            aria-label="Logout"
            aria-busy={leave.isPending}
            onClick={logOut}
          >
            <LogoutOutlined aria-hidden />
          </button>
        </Tooltip>
      </div>
    )
  return (
    <div className={styles['footer']}>
      <div className={styles['person']}>
        {avatar}
        <div className={styles['personText']}>
          <span className={styles['name']}>{user?.firstName || 'User'}</span>
          <Link to={paths.profile} className={styles['profileLink']} onClick={onNavigate}>
            View Profile
          </Link>
        </div>
      </div>
      {availability}
      <button type="button" className={styles['item']} aria-busy={leave.isPending} onClick={logOut}>
        <LogoutOutlined aria-hidden />
        <span>Logout</span>
      </button>
    </div>
  )
}
