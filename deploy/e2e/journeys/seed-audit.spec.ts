import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { analyticsSeed } from './seed/analytics.ts'
import type { AuditEntry } from './seed/audit-entry.ts'
import { botsSeed } from './seed/bots.ts'
import { campaignsSeed } from './seed/campaigns.ts'
import { contactsSeed } from './seed/contacts.ts'
import { conversationsSeed } from './seed/conversations.ts'
import { dashboardSeed } from './seed/dashboard.ts'
import { landingSeed } from './seed/landing.ts'
import { numbersSeed } from './seed/numbers.ts'
import { profileSeed, shellSeed } from './seed/profile.ts'
import { settingsSeed } from './seed/settings.ts'
import { signInSeed } from './seed/sign-in.ts'
import { templatesSeed } from './seed/templates.ts'
import { webhooksSeed } from './seed/webhooks.ts'
import { workflowsSeed } from './seed/workflows.ts'

/**
 * Entries that must show on every screen, one table per screen (`seed`). One page goes through a table; an entry that fails does
 * not hide those after it.
 */
const visitor: Record<string, readonly AuditEntry[]> = { landing: landingSeed, 'sign-in': signInSeed }
const signedIn: Record<string, readonly AuditEntry[]> = {
  frame: shellSeed,
  dashboard: dashboardSeed,
  conversations: conversationsSeed,
  bots: botsSeed,
  contacts: contactsSeed,
  campaigns: campaignsSeed,
  templates: templatesSeed,
  workflows: workflowsSeed,
  analytics: analyticsSeed,
  numbers: numbersSeed,
  webhooks: webhooksSeed,
  settings: settingsSeed,
  profile: profileSeed,
}

async function audit(page: Page, entries: readonly AuditEntry[]): Promise<void> {
  let untouched = ''
  for (const { what, path, open, texts = [], controls = [] } of entries) {
    await test.step(what, async () => {
      // Looking changes nothing, so that the next entry may find the page as it is.
      if (path !== untouched) await page.goto(path)
      untouched = open ? '' : path
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
  test(`${screen} shows all that belongs to it`, ({ page }) => audit(page, entries))

test('every screen behind the sign-in shows all that belongs to it', async ({ page, account: _account }) => {
  test.setTimeout(900_000)
  for (const entries of Object.values(signedIn)) await audit(page, entries)
})
