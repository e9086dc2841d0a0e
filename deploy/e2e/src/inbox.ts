import { expect, type Page } from '@playwright/test'
import type { Phones } from './phones.ts'

/** Locators of the inbox. */
export const list = (page: Page) => page.getByRole('list', { name: 'Conversations' })
export const row = (page: Page, name: string) => list(page).getByRole('link', { name: new RegExp(name) })
export const thread = (page: Page, name: string) => page.getByRole('region', { name: `Conversation with ${name}` })
export const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
export const details = (page: Page) => page.getByRole('complementary', { name: 'Contact details' })
export const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })
export const bubble = (page: Page, text: string) => messages(page).getByRole('listitem').filter({ hasText: text })

export const dayMs = 86_400_000
export const priya = { phone: '+919812300001', name: 'Priya Nair' }
export const rahul = { phone: '+919812300002', name: 'Rahul Khanna' }
export const ananya = { phone: '+919812300003', name: 'Ananya Bose' }

/** Lets three customers write, the first of the three last. */
export async function customersWrite(phones: Phones): Promise<void> {
  const now = Date.now()
  await phones.write(ananya, 'Do you deliver to Pune?', { at: now - 30_000 })
  await phones.write(rahul, 'The guard at gate 2 has my parcel.', { at: now - 20_000 })
  await phones.write(priya, 'Is the blue kettle in stock?', { at: now - 10_000 })
}

export async function openInbox(page: Page): Promise<void> {
  await page.goto('/conversations')
  await expect(row(page, priya.name)).toContainText('Is the blue kettle in stock?')
}
