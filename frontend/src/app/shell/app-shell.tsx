import MenuOutlined from '@ant-design/icons/MenuOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { useDepth } from '../../lib/screen-depth.ts'
import { useLoaded } from '../../lib/use-loaded.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useIsMobile } from '../../ui/use-media.ts'
import { titleOf } from '../routes.ts'
import styles from './app-shell.module.css'
import { Drawer } from './drawer.tsx'
import { commandKey, enter, maxSearch } from './keys.ts'
import { Sidebar } from './sidebar.tsx'
import { toggleSidebar, useSidebarExpanded } from './sidebar-state.ts'
import { type Overlay, useShellKeys } from './use-shell-keys.ts'

const loadIdle = () => import('./idle.ts')
const CommandMenu = lazy(async () => ({ default: (await loadIdle()).CommandMenu }))
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))
const loadNotifications = async () => (await loadIdle()).NotificationsButton
const loadBanner = async () => (await loadIdle()).UsageBanner
const loadInvitations = async () => (await loadIdle()).InvitationsBanner
const loadClosing = async () => (await loadIdle()).ClosingBanner
const loadViewing = async () => (await loadIdle()).ViewingBanner

/** Screens that are as high as the window leave room for the banners. */
function reportHeight(banners: HTMLElement | null) {
  if (!banners) return
  const root = document.documentElement.style
  const observer = new ResizeObserver(() => root.setProperty('--banner-height', `${banners.offsetHeight}px`))
  observer.observe(banners)
  return () => {
    observer.disconnect()
    root.removeProperty('--banner-height')
  }
}

/** The frame around every protected screen: sidebar, header with the screen's title, content. */
export function AppShell() {
  const { pathname } = useLocation()
  const mobile = useIsMobile()
  const Notifications = useLoaded(loadNotifications)
  const Banner = useLoaded(loadBanner)
  const Invitations = useLoaded(loadInvitations)
  const Closing = useLoaded(loadClosing)
  const Viewing = useLoaded(loadViewing)
  const expanded = useSidebarExpanded()
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [overlay, setOverlay] = useState<Overlay>()
  const typedAhead = useRef('')
  const closeOverlay = useCallback(() => {
    typedAhead.current = ''
    setOverlay(undefined)
  }, [])
  const closeDrawer = useCallback(() => setDrawerOpen(false), [])
  const toggle = useCallback(() => (mobile ? setDrawerOpen((open) => !open) : toggleSidebar()), [mobile])
  useToggleShortcut(toggle)
  useShellKeys(setOverlay)
  // Loaded ahead, so that Ctrl+K opens the menu at once and the next screen finds antd; offline they are loaded on demand.
  useEffect(
    () =>
      void whenIdle()
        .then(() => Promise.all([loadIdle(), import('../kit-layout.tsx')]))
        .catch(() => {}),
    [],
  )

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
          <Title screen={titleOf(pathname)} />
          <button
            type="button"
            className={styles['find']}
            aria-keyshortcuts="Control+K Meta+K"
            onClick={() => setOverlay('commands')}
          >
            <SearchOutlined aria-hidden />
            <span>Search or go to</span>
            <span aria-hidden="true" className={styles['keys']}>
              {commandKey} K
            </span>
          </button>
          {Notifications ? <Notifications /> : <span className={styles['place']} />}
          <ThemeToggle />
        </header>
        <div ref={reportHeight}>
          {Closing && <Closing />}
          {Banner && <Banner />}
          {Viewing && <Viewing />}
          {Invitations && <Invitations />}
        </div>
        <main id="content" tabIndex={-1} className={styles['content']}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Suspense fallback={overlay === 'commands' && <TypedAhead typed={typedAhead} onClose={closeOverlay} />}>
        {overlay === 'commands' && <CommandMenu typedAhead={typedAhead} onClose={closeOverlay} onOpen={setOverlay} />}
        {overlay === 'shortcuts' && <ShortcutList onClose={closeOverlay} />}
      </Suspense>
    </div>
  )
}

/** The screen's name, or the way to the thing that is open on it. */
function Title({ screen }: { screen: string }) {
  const depth = useDepth()
  useDocumentTitle(depth ? `${depth.name} · ${screen}` : screen)
  if (!depth) return <h1 className={styles['title']}>{screen}</h1>
  return (
    <nav aria-label="Breadcrumb" className={styles['way']}>
      <button type="button" className={styles['back']} onClick={depth.leave}>
        {screen}
      </button>
      <span aria-hidden="true">/</span>
      <h1 className={styles['title']} dir="auto">
        {depth.name}
      </h1>
    </nav>
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

/** Stands in while the command menu is loaded: keeps what is typed for the menu's field. Escape gives up. */
function TypedAhead({ typed, onClose }: { typed: RefObject<string>; onClose: () => void }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key } = event
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (key === 'Escape') onClose()
      else if (key.length === 1 || key === 'Backspace' || key === 'Enter') typed.current = after(typed.current, key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [typed, onClose])
  return null
}

/** Returns the text kept after a key press. Enter ends it; before any text was typed, Enter means nothing. */
function after(text: string, key: string): string {
  if (text.endsWith(enter)) return text
  if (key === 'Enter') return text.trim() === '' ? text : text + enter
  if (key === 'Backspace') return text.slice(0, -1)
  return (text + key).slice(0, maxSearch)
}
