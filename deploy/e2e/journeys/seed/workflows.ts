import type { AuditEntry } from './audit-entry.ts'

export const workflowsSeed: readonly AuditEntry[] = [
  {
    what: 'Workflows: Create Workflow; counters for total, active, total executions and success rate',
    path: '/workflows',
    texts: ['Workflows', 'Total Workflows', 'Active', 'Total Executions', 'Success Rate'],
    controls: [{ role: 'button', name: 'Create Workflow' }],
  },
  {
    what: 'Workflows: cards with trigger, action and execution counts and Pause or Start and edit buttons',
    path: '/workflows',
    texts: ['Triggers', 'Actions', 'Executions', 'Paused'],
    controls: [
      { role: 'button', name: /^Pause/ },
      { role: 'button', name: /^Start/ },
      { role: 'button', name: /^Edit/ },
    ],
  },
]
