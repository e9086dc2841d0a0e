import type { ComponentType } from 'react'
import { type AppPath, paths } from './paths.ts'

/**
 * Where a screen stands and who may see it. `public`: without a session. `sign-in`: the card of the sign-in pages.
 * `onboarding`: signed in, outside the guard. `protected`: behind the guard, in the app's frame.
 */
export type Access = 'public' | 'sign-in' | 'onboarding' | 'protected'

export const navGroups = ['Main', 'Configuration'] as const
export type NavIcon = 'dashboard'

interface RouteEntry {
  readonly path: AppPath
  /** Header, document title and search. */
  readonly title: string
  readonly access: Access
  /** Present if the sidebar lists the screen. */
  readonly nav?: { readonly group: (typeof navGroups)[number]; readonly icon: NavIcon }
  readonly load: () => Promise<ComponentType>
}

/** Every screen there is (specification section 2): router, sidebar, header and search all read this one table. */
export const routes: readonly RouteEntry[] = [
  {
    path: paths.home,
    title: 'WhatsApp automation for business',
    access: 'public',
    load: async () => (await import('./home-route.tsx')).HomeRoute,
  },
  {
    path: paths.login,
    title: 'Log in',
    access: 'sign-in',
    load: async () => (await import('../features/auth/login-page.tsx')).LoginPage,
  },
  {
    path: paths.signup,
    title: 'Sign up',
    access: 'sign-in',
    load: async () => (await import('../features/auth/signup-page.tsx')).SignupPage,
  },
  {
    path: paths.verifyEmail,
    title: 'Verify your email',
    access: 'sign-in',
    load: async () => (await import('../features/auth/verify-email-page.tsx')).VerifyEmailPage,
  },
  {
    path: paths.forgotPassword,
    title: 'Forgot password',
    access: 'sign-in',
    load: async () => (await import('../features/auth/forgot-password-page.tsx')).ForgotPasswordPage,
  },
]

/** The name of the screen at a path; of the 404 page where there is none. */
export const titleOf = (pathname: string): string =>
  routes.find((route) => route.path === pathname.replace(/(?<=.)\/$/, ''))?.title ?? 'Page not found'
