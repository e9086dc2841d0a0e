import type { AuditEntry } from './audit-entry.ts'

export const templatesSeed: readonly AuditEntry[] = [
  {
    what: 'Templates: Create Template; counters Total, Approved, Pending, Rejected; search and filter',
    path: '/templates',
    texts: ['Total', 'Approved', 'Pending', 'Rejected'],
    controls: [
      { role: 'heading', name: 'Templates' },
      { role: 'button', name: 'Create Template' },
      { role: 'searchbox', name: 'Search templates' },
      { role: 'button', name: /^Filter/ },
    ],
  },
  {
    what: 'Templates: cards show name, category, status and language (default EN), a content preview and a Use Template button',
    path: '/templates',
    texts: ['summer_sale', 'Marketing', 'Utility', 'EN', '{{first_name}}'],
    controls: [{ role: 'button', name: /^Use Template/ }],
  },
  {
    what: 'Templates: menu with Edit Template, Duplicate, Delete',
    path: '/templates',
    open: (page) => page.getByRole('button', { name: 'Actions for summer_sale' }).click(),
    controls: [
      { role: 'menuitem', name: /Edit Template$/ },
      { role: 'menuitem', name: /Duplicate$/ },
      { role: 'menuitem', name: /Delete$/ },
    ],
  },
  {
    what: 'Template: name, category, content with {{placeholder}} variables, language',
    path: '/templates',
    open: async (page) => {
      await page.getByRole('button', { name: 'Actions for summer_sale' }).click()
      await page.getByRole('menuitem', { name: 'Edit Template' }).click()
    },
    controls: [
      { role: 'textbox', name: 'Name' },
      { role: 'combobox', name: 'Category' },
      { role: 'combobox', name: 'Language' },
      { role: 'textbox', name: 'Body' },
      { role: 'button', name: /Insert variable$/ },
    ],
  },
]
