import type { AuditEntry } from './audit-entry.ts'

export const profileSeed: readonly AuditEntry[] = [
  {
    what: 'Profile: the form, prefilled',
    path: '/profile',
    texts: ['Profile Settings'],
    controls: [
      { role: 'textbox', name: 'First Name' },
      { role: 'textbox', name: 'Last Name' },
      { role: 'textbox', name: 'Mobile Number' },
      { role: 'textbox', name: /^Address/ },
      { role: 'combobox', name: /time zone/i },
      { role: 'button', name: 'Save Changes' },
    ],
  },
  {
    what: 'a save that succeeds',
    path: '/profile',
    open: async (page) => {
      await page.getByLabel('Last Name').fill('Audit')
      await page.getByRole('button', { name: 'Save Changes' }).click()
    },
    texts: ['Your profile has been updated successfully!'],
  },
]

export const shellSeed: readonly AuditEntry[] = [
  {
    what: 'App shell and sidebar',
    path: '/profile',
    texts: ['Main', 'Configuration', 'View Profile'],
    controls: [
      ...[
        'Dashboard',
        'Conversation',
        'Contacts',
        'Campaigns',
        'Templates',
        'Bot Flows',
        'Workflows',
        'Analytics',
        'WhatsApp Numbers',
        'Webhooks',
        'Settings & Billing',
        'View Profile',
      ].map((name) => ({ role: 'link' as const, name: new RegExp(`^${name}`) })),
      { role: 'button', name: 'Logout' },
      { role: 'button', name: 'Toggle sidebar' },
      { role: 'button', name: /theme/ },
    ],
  },
]
