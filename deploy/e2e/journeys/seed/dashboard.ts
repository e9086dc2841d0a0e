import type { AuditEntry } from './audit-entry.ts'

export const dashboardSeed: readonly AuditEntry[] = [
  {
    what: 'Dashboard: stat cards with trend text, and the Credit Usage bar',
    path: '/dashboard',
    texts: [
      'Total Messages',
      'Active Campaigns',
      'Credits Remaining',
      'Response Rate',
      '12.5% more than last month',
      'Credit Usage',
      '6,580 of 25,000 credits used this month',
      'resets in 12 days',
    ],
    controls: [{ role: 'progressbar', name: 'Credit Usage' }],
  },
  {
    what: 'Dashboard: Recent Activity with its four kinds',
    path: '/dashboard',
    texts: ['Recent Activity', 'Unable to deliver message'],
    controls: ['Message', 'Campaign', 'Bot', 'Error'].map((name) => ({ role: 'img' as const, name })),
  },
  {
    what: 'Dashboard: Quick Actions and the buttons above',
    path: '/dashboard',
    texts: ['Quick Actions', /upload CSV/i],
    controls: [
      ...[/^Create Campaign/, /^Configure Bot/, /^Import Contacts/, /^View Analytics/].map((name) => ({
        role: 'link' as const,
        name,
      })),
      { role: 'link', name: 'View Reports' },
      { role: 'link', name: 'Send Message' },
    ],
  },
]
