import type { ComponentType } from 'react'
import { matchPath } from 'react-router-dom'
import { type AppPath, paths } from './paths.ts'

/**
 * Placement of a screen and who may see it. `public`: without a session. `sign-in`: the card of the sign-in pages. `onboarding`:
 * signed in, outside the guard. `protected`: behind the guard, in the app's frame.
 */
export type Access = 'public' | 'sign-in' | 'onboarding' | 'protected'

export const navGroups = ['Main', 'Configuration'] as const
export type NavIcon =
  | 'dashboard'
  | 'conversations'
  | 'contacts'
  | 'campaigns'
  | 'templates'
  | 'bots'
  | 'workflows'
  | 'analytics'
  | 'numbers'
  | 'webhooks'
  | 'settings'

interface RouteEntry {
  readonly path: AppPath
  /** Header, document title and search. */
  readonly title: string
  readonly access: Access
  /** Entry in the sidebar, if the sidebar lists the screen. */
  readonly nav?: {
    readonly group: (typeof navGroups)[number]
    readonly icon: NavIcon
    /** Label in the sidebar, where it differs from the title. */
    readonly label?: string
  }
  /** True if the search of the 404 page offers the screen. */
  readonly listed: boolean
  readonly load: () => Promise<ComponentType>
}
export type NavEntry = RouteEntry & Required<Pick<RouteEntry, 'nav'>>

/** Table of all screens, which router, sidebar, header and search read. */
export const routes: readonly RouteEntry[] = [
  {
    path: paths.home,
    title: 'WhatsApp automation for business',
    access: 'public',
    listed: false,
    load: async () => (await import('./home-route.tsx')).HomeRoute,
  },
  {
    path: paths.login,
    title: 'Log in',
    access: 'sign-in',
    listed: true,
    load: async () => (await import('../features/auth/login-page.tsx')).LoginPage,
  },
  {
    path: paths.signup,
    title: 'Sign up',
    access: 'sign-in',
    listed: true,
    load: async () => (await import('../features/auth/signup-page.tsx')).SignupPage,
  },
  {
    path: paths.verifyEmail,
    title: 'Verify your email',
    access: 'sign-in',
    listed: false,
    load: async () => (await import('../features/auth/verify-email-page.tsx')).VerifyEmailPage,
  },
  {
    path: paths.forgotPassword,
    title: 'Forgot password',
    access: 'sign-in',
    listed: true,
    load: async () => (await import('../features/auth/forgot-password-page.tsx')).ForgotPasswordPage,
  },
  {
    path: paths.profileSetup,
    title: 'Complete Your Profile',
    access: 'onboarding',
    listed: false,
    load: async () => (await import('../features/profile/profile-setup-page.tsx')).ProfileSetupPage,
  },
  {
    path: paths.dashboard,
    title: 'Dashboard',
    access: 'protected',
    nav: { group: 'Main', icon: 'dashboard' },
    listed: true,
    load: async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
  },
  {
    path: paths.conversations,
    title: 'Conversations',
    access: 'protected',
    nav: { group: 'Main', icon: 'conversations', label: 'Conversation' },
    listed: true,
    load: async () => (await import('../features/conversations/conversations-page.tsx')).ConversationsPage,
  },
  {
    path: paths.contacts,
    title: 'Contacts',
    access: 'protected',
    nav: { group: 'Main', icon: 'contacts' },
    listed: true,
    load: async () => (await import('../features/contacts/contacts-page.tsx')).ContactsPage,
  },
  {
    path: paths.contactFields,
    title: 'Contacts',
    access: 'protected',
    listed: false,
    load: async () => (await import('../features/contacts/fields/fields-page.tsx')).FieldsPage,
  },
  {
    path: paths.contact,
    title: 'Contacts',
    access: 'protected',
    listed: false,
    load: async () => (await import('../features/contacts/page/contact-page.tsx')).ContactPage,
  },
  {
    path: paths.campaigns,
    title: 'Campaigns',
    access: 'protected',
    nav: { group: 'Main', icon: 'campaigns' },
    listed: true,
    load: async () => (await import('../features/campaigns/campaigns-page.tsx')).CampaignsPage,
  },
  {
    path: paths.templates,
    title: 'Templates',
    access: 'protected',
    nav: { group: 'Main', icon: 'templates' },
    listed: true,
    load: async () => (await import('../features/templates/templates-page.tsx')).TemplatesPage,
  },
  {
    path: paths.bots,
    title: 'Bot Flows',
    access: 'protected',
    nav: { group: 'Main', icon: 'bots' },
    listed: true,
    load: async () => (await import('../features/bots/bots-page.tsx')).BotsPage,
  },
  {
    path: paths.workflows,
    title: 'Workflows',
    access: 'protected',
    nav: { group: 'Main', icon: 'workflows' },
    listed: true,
    load: async () => (await import('../features/workflows/workflows-page.tsx')).WorkflowsPage,
  },
  {
    path: paths.analytics,
    title: 'Analytics',
    access: 'protected',
    nav: { group: 'Main', icon: 'analytics' },
    listed: true,
    load: async () => (await import('../features/analytics/analytics-page.tsx')).AnalyticsPage,
  },
  {
    path: paths.numbers,
    title: 'WhatsApp Numbers',
    access: 'protected',
    nav: { group: 'Configuration', icon: 'numbers' },
    listed: true,
    load: async () => (await import('../features/numbers/numbers-page.tsx')).NumbersPage,
  },
  {
    path: paths.webhooks,
    title: 'Webhooks',
    access: 'protected',
    nav: { group: 'Configuration', icon: 'webhooks' },
    listed: true,
    load: async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage,
  },
  {
    path: paths.settings,
    title: 'Settings & Billing',
    access: 'protected',
    nav: { group: 'Configuration', icon: 'settings' },
    listed: true,
    load: async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  },
  {
    path: paths.profile,
    title: 'Profile Settings',
    access: 'protected',
    listed: true,
    load: async () => (await import('../features/profile/profile-page.tsx')).ProfilePage,
  },
]

/** The name of the screen at a path; of the 404 page where there is none. */
export const titleOf = (pathname: string): string =>
  routes.find((route) => matchPath(route.path, pathname))?.title ?? 'Page not found'

const hasNav = (route: RouteEntry): route is NavEntry => route.nav !== undefined

/** The screens of one group of the sidebar, in the order of the table. */
export const navOf = (group: NavEntry['nav']['group']): readonly NavEntry[] =>
  routes.filter(hasNav).filter((route) => route.nav.group === group)
