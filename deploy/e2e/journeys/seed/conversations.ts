import type { AuditEntry } from './audit-entry.ts'

/** Opens a conversation whose name was searched for. */
const opens = (name: string): Pick<AuditEntry, 'path' | 'open'> => ({
  path: `/conversations?q=${name.toLowerCase().replace(' ', '+')}`,
  open: (page) => page.getByRole('link', { name: new RegExp(`^${name}`) }).click(),
})
const priya = opens('Priya Sharma')

export const conversationsSeed: readonly AuditEntry[] = [
  {
    what: 'Conversations: search box and rows with initials, name, last message, time and unread badge',
    path: '/conversations',
    texts: ['PS', 'Priya Sharma', 'And could it reach her in Nagpur before Sunday?', /\d+ min ago/, /^\d unread$/],
    controls: [
      { role: 'searchbox', name: 'Search conversations' },
      { role: 'link', name: /^Priya Sharma/ },
      { role: 'link', name: /Rahul Verma.* unread/ },
    ],
  },
  {
    what: 'Conversations: the thread with the tick for delivered',
    ...opens('Ananya Iyer'),
    controls: [{ role: 'img', name: 'Delivered' }],
  },
  {
    what: 'Conversations: the thread with ticks for sent and read',
    ...opens('Omar Khan'),
    controls: [
      { role: 'img', name: 'Sent' },
      { role: 'img', name: 'Read' },
      { role: 'textbox', name: 'Message' },
      { role: 'button', name: 'Send message' },
    ],
  },
  {
    what: 'Conversations: the pencil opens the dialog',
    path: priya.path,
    open: async (page) => {
      await priya.open?.(page)
      await page.getByRole('button', { name: 'Edit contact name' }).click()
    },
    texts: ['Edit Contact Name', 'Contact Name'],
    controls: [
      { role: 'dialog', name: 'Edit Contact Name' },
      { role: 'textbox', name: 'Contact Name' },
      { role: 'button', name: 'Cancel' },
      { role: 'button', name: 'Save' },
    ],
  },
  {
    what: 'Conversations: right panel with tags, quick actions and history',
    ...priya,
    texts: ['Tags', 'Quick actions', 'History', 'Total messages', 'First contact', 'Last active'],
    controls: [
      { role: 'button', name: 'Add Tag' },
      { role: 'button', name: 'Export Chat' },
    ],
  },
]
