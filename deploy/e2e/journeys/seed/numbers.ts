import type { AuditEntry } from './audit-entry.ts'

export const numbersSeed: readonly AuditEntry[] = [
  {
    what: 'WhatsApp Numbers: the list with both badges, quality, ids, copy, configure and delete',
    path: '/whatsapp-numbers',
    texts: [
      'Chai & Co',
      'Active',
      'Verified',
      'Pending',
      '+91 98200 12345',
      'Messages this month',
      'Quality rating',
      'High',
      'Medium',
      'Unknown',
      'Phone Number ID',
      'Business Account ID',
    ],
    controls: [
      { role: 'button', name: 'Copy phone number' },
      { role: 'button', name: 'Copy phone number ID' },
      { role: 'button', name: 'Copy business account ID' },
      { role: 'button', name: 'Configure Chai & Co' },
      { role: 'button', name: 'Delete Chai & Co' },
      { role: 'button', name: 'Add New Number' },
    ],
  },
  {
    what: 'WhatsApp Numbers: the Add New Number form',
    path: '/whatsapp-numbers?new=1',
    texts: ['Add New Number'],
    controls: [
      ...['Display Name', 'Phone Number', 'Phone Number ID', 'Business Account ID', 'Access Token'].map((name) => ({
        role: 'textbox' as const,
        name,
      })),
      { role: 'combobox', name: 'Country Code' },
      { role: 'button', name: 'Connect Number' },
    ],
  },
]
