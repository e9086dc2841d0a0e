import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { useDocumentTitle } from '../ui/document-title.ts'
import { titleOf } from './routes.ts'

/** Layout around every screen: its name in the tab, the scroll position, and the focus after a navigation. */
export function RootLayout() {
  const { pathname } = useLocation()
  useDocumentTitle(titleOf(pathname))
  useFocusAfterNavigation(pathname)
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** Moves the focus to the new screen's heading, as a page load would, unless the screen has put it somewhere itself. */
function useFocusAfterNavigation(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const heading = document.querySelector<HTMLElement>('h1')
    if (!heading || heading.closest('main, header')?.contains(document.activeElement)) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [pathname])
}
