import type { Page } from '@playwright/test'

type Role = Parameters<Page['getByRole']>[0]

/** Content that must show on a screen, in one state of it. */
export interface AuditEntry {
  /** Subject: `Contacts: selection bar`. */
  readonly what: string
  /** Path to open, with the query that opens a tab or dialog. */
  readonly path: string
  /** Brings the screen into the state, where the address alone does not. */
  readonly open?: (page: Page) => Promise<void>
  /** Texts that must be visible, word for word. */
  readonly texts?: readonly (string | RegExp)[]
  /** Controls that must be there, by role and accessible name. */
  readonly controls?: readonly { readonly role: Role; readonly name: string | RegExp }[]
}
