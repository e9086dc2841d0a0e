import { expect, type Walk } from './walk.ts'

/** Bots, workflows and the builder, with the states that matter. Signed in. */
export async function seeAutomations({ page, take }: Walk): Promise<void> {
  for (const [screen, path] of [
    ['bots', '/bots'],
    ['workflows', '/workflows'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await take(screen, 'page')
  }
  await page.goto('/bots?state=loading')
  await expect(page.getByRole('status', { name: 'Loading...' })).toBeVisible()
  await take('bots, loading')
  await page.goto('/bots?state=empty')
  await expect(page.getByRole('button', { name: 'Create your first bot' })).toBeVisible()
  await take('bots, empty')
  await page.goto('/bots?new=1')
  await expect(page.getByRole('dialog')).toBeVisible()
  await take('bots, create')
  await page.goto('/bots?bot=bot-2')
  const node = page.locator('.react-flow__node').filter({ hasText: 'Menu' })
  await expect(node).toBeVisible()
  await take('bot builder')
  await node.click()
  await expect(page.getByText('Leads to', { exact: true })).toBeVisible()
  await take('bot builder, inspector')
  await page.keyboard.press('Escape')
  await page.goto('/bots?bot=bot-2')
  await page.getByRole('button', { name: 'Test Bot' }).click()
  await page.getByLabel('Message as a customer').fill('Hello')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Talk to us' })).toBeVisible()
  await take('bot builder, test')
}
