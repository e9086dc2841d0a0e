import type { Page } from '@playwright/test'
import type { AuditEntry } from '../src/seed/audit-entry.ts'
import { landingSeed } from '../src/seed/landing.ts'
import { profileSeed, shellSeed } from '../src/seed/profile.ts'
import { signInSeed } from '../src/seed/sign-in.ts'
import { expect, test } from './fixtures.ts'

/**
 * What the specification says of every screen, quoted in one table a screen (`src/seed`), and looked for on the screen.
 * One page goes through a table; an entry that fails does not hide those after it.
 */
const visitor: Record<string, readonly AuditEntry[]> = { landing: landingSeed, 'sign-in': signInSeed }
const signedIn: Record<string, readonly AuditEntry[]> = { shell: shellSeed, profile: profileSeed }

async function audit(page: Page, entries: readonly AuditEntry[]): Promise<void> {
  for (const { what, path, open, texts = [], controls = [] } of entries) {
    await test.step(what, async () => {
      await page.goto(path)
      await open?.(page)
      for (const text of texts)
        await expect.soft(page.getByText(text).filter({ visible: true }).first(), `${what}: ${text}`).toBeVisible()
      for (const { role, name } of controls)
        await expect
          .soft(
            page
              .getByRole(role, { name, exact: typeof name === 'string' })
              .filter({ visible: true })
              .first(),
            `${what}: ${role} ${name}`,
          )
          .toBeVisible()
    })
  }
}

for (const [screen, entries] of Object.entries(visitor))
  test(`${screen} shows all that the specification says`, ({ page }) => audit(page, entries))

test('every screen behind the sign-in shows all that the specification says', async ({ page, account: _account }) => {
  test.setTimeout(240_000)
  for (const entries of Object.values(signedIn)) await audit(page, entries)
})
