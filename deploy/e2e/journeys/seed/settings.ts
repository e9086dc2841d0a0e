import type { AuditEntry } from './audit-entry.ts'

const boxes = (names: readonly string[]) => names.map((name) => ({ role: 'textbox' as const, name }))
const buttons = (names: readonly string[]) => names.map((name) => ({ role: 'button' as const, name }))

export const settingsSeed: readonly AuditEntry[] = [
  {
    what: 'Settings: four tabs',
    path: '/settings',
    controls: ['API Credentials', 'Account', 'Notifications', 'Billing'].map((name) => ({
      role: 'tab' as const,
      name,
    })),
  },
  {
    what: 'Settings, API Credentials',
    path: '/settings',
    texts: ['WhatsApp Business API', 'Connected', /encrypted and stored securely/, 'Webhook Configuration'],
    controls: [
      ...boxes(['Phone Number ID', 'Business Account ID', 'Access Token', 'Webhook URL', 'Verify Token']),
      ...buttons(['Show access token', 'Save Changes', 'Test Connection', 'Regenerate Token']),
    ],
  },
  {
    what: 'Settings, API Credentials: a verify token that was just made',
    path: '/settings',
    open: (page) => page.getByRole('button', { name: 'Regenerate Token' }).click(),
    controls: buttons(['Show verify token']),
  },
  {
    what: 'Settings, Account',
    path: '/settings?tab=account',
    texts: ['Security'],
    controls: [
      ...boxes(['Account Name', 'Email', 'Phone Number', 'Current Password', 'New Password', 'Confirm New Password']),
      ...buttons(['Update Account', 'Change Password']),
    ],
  },
  {
    what: 'Settings, Notifications',
    path: '/settings?tab=notifications',
    controls: ['New Messages', 'Broadcast Completion', 'Bot Failures', 'Weekly Reports'].map((name) => ({
      role: 'switch' as const,
      name,
    })),
  },
  {
    what: 'Settings, Billing',
    path: '/settings?tab=billing',
    texts: [
      'Current Plan',
      'Professional',
      'Active',
      'Monthly Price',
      '$99/month',
      'Messages Quota',
      '10,000/month',
      'Next Billing Date',
      'Usage This Month',
      '7,234 of 10,000 sent',
      '2,766 remaining',
      '72%',
    ],
    controls: [...buttons(['Upgrade Plan', 'Manage Billing']), { role: 'progressbar', name: 'Usage This Month' }],
  },
]
