import type { Page } from '@playwright/test'
import type { AuditEntry } from './audit-entry.ts'

const path = '/contacts'

const selectOne = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .click()

/** Contacts. */
export const contactsSeed: readonly AuditEntry[] = [
  {
    what: 'Contacts: actions, search, Filter, Export, select-all box, pages and the total',
    path,
    texts: ['8,234', '1–25 of 8,234 contacts'],
    controls: [
      { role: 'button', name: 'Import' },
      { role: 'button', name: 'Add Contact' },
      { role: 'searchbox', name: 'Search contacts' },
      { role: 'button', name: 'Filter' },
      { role: 'button', name: 'Export' },
      { role: 'checkbox', name: 'Select all contacts on this page' },
      { role: 'button', name: 'Previous' },
      { role: 'button', name: 'Next' },
    ],
  },
  {
    what: 'Contacts: segment cards',
    path,
    texts: ['All Contacts', 'VIP', 'Leads', 'Active', 'Contacted in the last 30 days'],
    controls: [{ role: 'button', name: /^All Contacts/ }],
  },
  {
    what: 'Contacts: a row has checkbox, avatar, name, phone, tags, last contact, a message button and a menu',
    path,
    texts: ['Priya Sharma', 'PS', '+91 98200 00000', 'customer', /^\d+ min ago$/],
    controls: [
      { role: 'checkbox', name: 'Select Priya Sharma' },
      { role: 'link', name: 'Message Priya Sharma' },
      { role: 'button', name: 'Actions for Priya Sharma' },
    ],
  },
  {
    what: 'Contacts: menu of a row',
    path,
    open: (page) => page.getByRole('button', { name: 'Actions for Priya Sharma' }).click(),
    controls: [
      { role: 'menuitem', name: 'Edit Contact' },
      { role: 'menuitem', name: 'Add Tags' },
      { role: 'menuitem', name: 'Delete' },
    ],
  },
  {
    what: 'Contacts: selection bar',
    path,
    open: selectOne,
    texts: ['1 selected'],
    controls: [
      { role: 'button', name: 'Add Tag' },
      { role: 'button', name: 'Delete' },
    ],
  },
]
