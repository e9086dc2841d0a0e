import { useEffect, useRef } from 'react'
import { createBrowserRouter, Outlet, type RouteObject, ScrollRestoration, useLocation } from 'react-router-dom'
import { useDocumentTitle } from '../ui/document-title.ts'
import { loadComponent } from './lazy-page.ts'
import { PageLoading } from './page-loading.tsx'
import { paths } from './paths.ts'
import { PageError, ScreenError } from './route-error.tsx'
import { type Access, routes, titleOf } from './routes.ts'

type LayoutModule = { Component: React.ComponentType }

const layout = (
  load: () => Promise<LayoutModule>,
  children: RouteObject[] = [],
  ErrorBoundary: React.ComponentType = PageError,
): RouteObject => ({
  lazy: async () => ({ Component: await loadComponent(async () => (await load()).Component) }),
  ErrorBoundary,
  children,
})

/** Screens that stand in a frame with a `main` of its own. */
const framed: ReadonlySet<Access> = new Set(['sign-in', 'protected'])

/** Screens that show without antd. */
const withoutKit: ReadonlySet<string> = new Set([paths.dashboard])

const screens = (access: Access, isOne: (path: string) => boolean = () => true): RouteObject[] =>
  routes
    .filter((route) => route.access === access && isOne(route.path))
    .map(({ path, load }) => ({
      path,
      lazy: async () => ({ Component: await loadComponent(load) }),
      ErrorBoundary: framed.has(access) ? ScreenError : PageError,
    }))

/**
 * Turns the route table into the router. Public screens come without session and controls, so that the landing page stays
 * small; everything else loads in parallel with the layouts around it.
 */
export function createRouter() {
  return createBrowserRouter([
    {
      Component: RootLayout,
      ErrorBoundary: PageError,
      HydrateFallback: PageLoading,
      children: [
        ...screens('public'),
        layout(
          () => import('./session-layout.tsx'),
          [
            layout(() => import('./sign-in-layout.tsx'), screens('sign-in')),
            layout(() => import('./onboarding-layout.tsx'), screens('onboarding')),
            layout(
              () => import('./protected-layout.tsx'),
              [
                ...screens('protected', (path) => withoutKit.has(path)),
                layout(
                  () => import('./kit-layout.tsx'),
                  screens('protected', (path) => !withoutKit.has(path)),
                  ScreenError,
                ),
              ],
            ),
          ],
        ),
        { path: '*', ...layout(() => import('./not-found.tsx')) },
      ],
    },
  ])
}

/** Layout around every screen: its name in the tab, the scroll position, and the focus after a navigation. */
function RootLayout() {
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
