import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { loadComponent } from './lazy-page.ts'
import { PageLoading } from './page-loading.tsx'
import { paths } from './paths.ts'
import { RootLayout } from './root-layout.tsx'
import { PageError, ScreenError } from './route-error.tsx'
import { type Access, routes } from './routes.ts'

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
