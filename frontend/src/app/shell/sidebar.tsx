import { useId } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useSeesOwnOnly } from '../../lib/choices/visibility.ts'
import { useLoaded } from '../../lib/use-loaded.ts'
import { useUser } from '../../lib/user.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { paths } from '../paths.ts'
import { type NavEntry, navGroups, navOf } from '../routes.ts'
import { navIcons } from './nav-icons.ts'
import styles from './sidebar.module.css'
import { SidebarFooter } from './sidebar-footer.tsx'

/** Reads the inbox, which must not delay the screen that is opening. */
const loadUnreadBadge = async () => {
  await whenIdle()
  return (await import('./idle.ts')).UnreadBadge
}

/** Reads the person's workspaces, which must not delay the screen either. */
const loadSwitcher = async () => {
  await whenIdle()
  return (await import('./idle.ts')).WorkspaceSwitcher
}

interface SidebarProps {
  /** Icons only, named by tooltips. */
  collapsed: boolean
  onNavigate?: () => void
}

/** Workspace, the groups of screens, and who is signed in. */
export function Sidebar({ collapsed, onNavigate }: SidebarProps) {
  const workspace = useUser().data?.workspaceName || 'Parley'
  const seesOwnOnly = useSeesOwnOnly()
  return (
    <div className={collapsed ? styles['collapsed'] : styles['sidebar']}>
      <WorkspaceName name={workspace} collapsed={collapsed} />
      <nav className={styles['nav']} aria-label="Main navigation">
        {navGroups.map((group) => {
          const entries = navOf(group).filter(({ path }) => !(seesOwnOnly && path === paths.contacts))
          if (entries.length === 0) return null
          return (
            <div key={group} className={styles['group']}>
              {!collapsed && <p className={styles['groupName']}>{group}</p>}
              <ul>
                {entries.map((entry) => (
                  <li key={entry.path}>
                    <NavItem entry={entry} collapsed={collapsed} onNavigate={onNavigate} />
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </nav>
      <SidebarFooter collapsed={collapsed} onNavigate={onNavigate} />
    </div>
  )
}

/** The name of the workspace; a menu where the person has several. */
function WorkspaceName({ name, collapsed }: { name: string; collapsed: boolean }) {
  const Switcher = useLoaded(loadSwitcher)
  const shown = (
    <>
      <span className={styles['badge']}>
        <Avatar name={name} size={28} />
      </span>
      {!collapsed && <span className={styles['name']}>{name}</span>}
    </>
  )
  return <div className={styles['workspace']}>{Switcher ? <Switcher name={name}>{shown}</Switcher> : shown}</div>
}

function Unread({ dot }: { dot: boolean }) {
  const UnreadBadge = useLoaded(loadUnreadBadge)
  return UnreadBadge && <UnreadBadge dot={dot} />
}

function NavItem({
  entry,
  collapsed,
  onNavigate,
}: {
  entry: NavEntry
  collapsed: boolean
  onNavigate: (() => void) | undefined
}) {
  const Icon = navIcons[entry.nav.icon]
  const { pathname } = useLocation()
  const active = pathname === entry.path || pathname.startsWith(`${entry.path}/`)
  const label = entry.nav.label ?? entry.title
  const badgeId = useId()
  const counts = entry.nav.icon === 'conversations'
  const link = (
    <Link
      to={entry.path}
      className={`${styles['item']} ${active ? styles['active'] : ''}`}
      aria-current={active ? 'page' : undefined}
      onClick={onNavigate}
      aria-label={collapsed ? label : undefined}
      aria-describedby={counts ? badgeId : undefined}
    >
      <Icon aria-hidden />
      {!collapsed && <span>{label}</span>}
    </Link>
  )
  return (
    <>
      {collapsed ? (
        <Tooltip text={label} side="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {counts && (
        <span id={badgeId}>
          <Unread dot={collapsed} />
        </span>
      )}
    </>
  )
}
