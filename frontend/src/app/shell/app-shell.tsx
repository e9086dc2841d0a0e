import MenuOutlined from '@ant-design/icons/MenuOutlined'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useIsMobile } from '../../ui/use-media.ts'
import { titleOf } from '../routes.ts'
import styles from './app-shell.module.css'
import { Drawer } from './drawer.tsx'
import { Sidebar } from './sidebar.tsx'
import { toggleSidebar, useSidebarExpanded } from './sidebar-state.ts'

/** The frame around every protected screen: sidebar, header with the screen's title, content. */
export function AppShell() {
  const { pathname } = useLocation()
  const mobile = useIsMobile()
  const expanded = useSidebarExpanded()
  const [drawerOpen, setDrawerOpen] = useState(false)
  const closeDrawer = useCallback(() => setDrawerOpen(false), [])
  const toggle = useCallback(() => (mobile ? setDrawerOpen((open) => !open) : toggleSidebar()), [mobile])
  useToggleShortcut(toggle)

  return (
    <div className={styles['shell']}>
      <a href="#content" className={styles['skip']}>
        Skip to content
      </a>
      {mobile ? (
        <Drawer open={drawerOpen} onClose={closeDrawer}>
          <Sidebar collapsed={false} onNavigate={closeDrawer} />
        </Drawer>
      ) : (
        <aside id="sidebar" className={expanded ? styles['sidebar'] : styles['sidebarCollapsed']}>
          <Sidebar collapsed={!expanded} />
        </aside>
      )}
      <div className={styles['body']}>
        <header className={styles['header']}>
          <Tooltip text="Toggle sidebar (Ctrl+B)" side="bottom">
            <IconButton
              label="Toggle sidebar"
              aria-expanded={mobile ? drawerOpen : expanded}
              aria-controls="sidebar"
              aria-keyshortcuts="Control+B Meta+B"
              onClick={toggle}
            >
              <MenuOutlined aria-hidden />
            </IconButton>
          </Tooltip>
          <h1 className={styles['title']}>{titleOf(pathname)}</h1>
          <ThemeToggle />
        </header>
        <main id="content" tabIndex={-1} className={styles['content']}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  )
}

function useToggleShortcut(toggle: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [toggle])
}
