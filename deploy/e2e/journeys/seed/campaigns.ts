import type { AuditEntry } from './audit-entry.ts'

export const campaignsSeed: readonly AuditEntry[] = [
  {
    what: 'Campaigns: New Broadcast, counters, search, Filter; the statuses scheduled, active, completed, paused',
    path: '/broadcasts',
    texts: ['Total', 'Scheduled', 'Active', 'Completed', 'Paused'],
    controls: [
      { role: 'heading', name: 'Campaigns' },
      { role: 'button', name: /New Broadcast$/ },
      { role: 'searchbox', name: 'Search campaigns' },
      { role: 'button', name: /^Filter/ },
    ],
  },
  {
    what: 'Campaigns: cards show name, status, scheduled time, progress as sent over audience, audience, delivery percentage, View Details',
    path: '/broadcasts',
    texts: ['Summer sale', 'Weekend offer', /Sat.*10:00/, /of [\d,.\s]+ sent/, 'Audience', 'Delivery', /^\d+%$/],
    controls: [
      { role: 'progressbar', name: 'Progress of Summer sale' },
      { role: 'button', name: /^View Details/ },
    ],
  },
]
