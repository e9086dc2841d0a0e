/** Paths that a link may name. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  verifyEmail: '/verify-email',
  forgotPassword: '/forgot-password',
  profileSetup: '/profile-setup',
  dashboard: '/dashboard',
  conversations: '/conversations',
  contacts: '/contacts',
  contactFields: '/contacts/fields',
  contact: '/contacts/:id',
  campaigns: '/broadcasts',
  templates: '/templates',
  bots: '/bots',
  workflows: '/workflows',
  analytics: '/analytics',
  numbers: '/whatsapp-numbers',
  webhooks: '/webhooks',
  settings: '/settings',
  profile: '/profile',
} as const

export type AppPath = (typeof paths)[keyof typeof paths]
