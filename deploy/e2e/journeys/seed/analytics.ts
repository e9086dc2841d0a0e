import type { AuditEntry } from './audit-entry.ts'

export const analyticsSeed: readonly AuditEntry[] = [
  {
    what: 'Analytics: four stat cards with percent change versus last month',
    path: '/analytics',
    texts: [
      'Total Messages',
      'Messages Sent',
      'Active Contacts',
      'Bot Interactions',
      '12,486',
      '10,318',
      '12.5% more than last month',
    ],
  },
  {
    what: 'Analytics: Messages This Week by day with sent and received',
    path: '/analytics?view=table',
    texts: ['Messages This Week', 'Sent', 'Received'],
    controls: [{ role: 'switch', name: 'View as table' }],
  },
  {
    what: 'Analytics: campaigns with delivered, opened, clicked and open rate; bots with conversations, resolved and rate',
    path: '/analytics',
    texts: ['Top Performing Campaigns', 'Bot Performance'],
    controls: ['Delivered', 'Opened', 'Clicked', 'Open rate', 'Conversations', 'Resolved', 'Rate'].map((name) => ({
      role: 'columnheader' as const,
      name,
    })),
  },
  {
    what: 'Analytics: buttons Last 30 Days, Export Report, View All',
    path: '/analytics',
    controls: [
      { role: 'button', name: 'Last 30 Days' },
      { role: 'button', name: 'Export Report' },
      { role: 'link', name: /^View All/ },
    ],
  },
]
