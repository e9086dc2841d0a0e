import type { Page } from '@playwright/test'
import type { AuditEntry } from './audit-entry.ts'

const openBuilder = (page: Page) => page.getByRole('link', { name: 'Order status' }).click()

export const botsSeed: readonly AuditEntry[] = [
  {
    what: 'Bots: cards with name, status, conversations and automation rate; Pause or Start; settings; Create Bot',
    path: '/bots',
    texts: ['Bot Flows', 'Order status', 'Welcome', 'Active', 'Paused', 'Conversations', 'Automation rate'],
    controls: [
      { role: 'button', name: 'Create Bot' },
      { role: 'button', name: /^Pause/ },
      { role: 'button', name: /^Start/ },
      { role: 'button', name: /^Settings/ },
    ],
  },
  {
    what: 'Bots: the Bot Builder has Test Bot and Save Changes and buttons to add each type of node',
    path: '/bots?q=Order+status',
    open: openBuilder,
    controls: [
      { role: 'region', name: 'Bot Builder' },
      { role: 'button', name: 'Test Bot' },
      { role: 'button', name: 'Save Changes' },
      ...['Trigger', 'Action', 'Condition', 'Delay'].map((type) => ({ role: 'button' as const, name: `Add ${type}` })),
    ],
  },
  {
    what: 'Bots: the sample flow is a keyword match, then send message, then a business-hours check: no error',
    path: '/bots?q=Order+status',
    open: openBuilder,
    texts: ['Keyword match', 'Send message', 'Business hours', 'No problems'],
  },
]
