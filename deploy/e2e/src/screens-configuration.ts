import { expect, type Walk } from './walk.ts'

/** Analytics, numbers, webhooks and settings, with the states that matter. Signed in. */
export async function seeConfiguration({ page, take }: Walk): Promise<void> {
  const dialogs = [
    ['numbers, add', '/whatsapp-numbers?new=1'],
    ['numbers, configure', '/whatsapp-numbers?configure=number-1'],
    ['numbers, delete', '/whatsapp-numbers?delete=number-2'],
    ['webhooks, create', '/webhooks?new=1'],
    ['webhooks, test', '/webhooks?test=webhook-1'],
    ['settings, plans', '/settings?tab=billing&plans=1'],
  ] as const
  await page.goto('/analytics')
  await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()
  await take('analytics', 'page')
  await page.goto('/analytics?view=table&period=90d')
  await expect(page.getByRole('table').first()).toBeVisible()
  await take('analytics, 90 days as table', 'page')
  for (const [screen, path, ready] of [
    ['numbers', '/whatsapp-numbers', 'Chai & Co Support'],
    ['webhooks', '/webhooks', 'Order updates'],
    ['settings', '/settings', 'Webhook Configuration'],
    ['settings, account', '/settings?tab=account', 'Security'],
    ['settings, notifications', '/settings?tab=notifications', 'Weekly Reports'],
    ['settings, billing', '/settings?tab=billing', 'Usage This Month'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(ready, { exact: true }).first()).toBeVisible()
    await take(screen, 'page')
  }
  for (const [screen, path] of dialogs) {
    await page.goto(path)
    await expect(page.getByRole('dialog')).toBeVisible()
    await take(screen)
  }
  for (const path of ['/analytics', '/whatsapp-numbers', '/webhooks']) {
    await page.goto(`${path}?state=empty`)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await take(`${path.slice(1)}, empty`)
    await page.goto(`${path}?state=loading`)
    await expect(page.getByRole('status', { name: 'Loading...' }).first()).toBeVisible()
    await take(`${path.slice(1)}, loading`)
  }
}
