import { readFileSync } from 'node:fs'
import { inspect } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

test('analytics: periods, the chart by keyboard and as table, the report, and the way to the things behind', async ({
  page,
  viewer: _viewer,
}) => {
  await test.step('the chart draws both series and reads its days by keyboard', async () => {
    await page.goto('/analytics')
    await expect(page.locator('.recharts-bar-rectangle')).toHaveCount(14)
    await page.locator('svg.recharts-surface[tabindex]').focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.locator('.recharts-tooltip-wrapper').getByText(/^Received: /)).toBeVisible()
  })

  await test.step('the same figures as a table', async () => {
    await page.getByRole('switch', { name: 'View as table' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('region', { name: 'Messages This Week' }).getByRole('rowheader')).toHaveCount(7)
    await expect(page).toHaveURL(/view=table/)
  })

  await test.step('the report is a file with every figure of the period', async () => {
    await page.getByRole('button', { name: 'Last 30 Days' }).click()
    await page.getByRole('menuitem', { name: 'Last 7 Days' }).click()
    await expect(page.getByRole('button', { name: 'Last 7 Days' })).toBeVisible()
    await expect(page.getByText(/than the previous 7 days/).first()).toBeVisible()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export Report' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^parley-analytics-.*\.csv$/)
    const text = readFileSync(await download.path(), 'utf8')
    expect(text.match(/^\d{4}-\d\d-\d\d,\d+,\d+,\d+\r$/gm)).toHaveLength(7)
    expect(text).toContain('Open rate in %')
  })

  await test.step('a bot leads to itself, View All to all of them', async () => {
    await page
      .getByRole('region', { name: 'Bot Performance' })
      .getByRole('link', { name: 'Welcome', exact: true })
      .click()
    await expect(page).toHaveURL(/\/bots\?bot=/)
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
    await page.goBack()
    await page.getByRole('link', { name: 'View All campaigns' }).click()
    await expect(page).toHaveURL('/broadcasts')
  })
})

test('analytics have no axe violation in any state', async ({ page, viewer: _viewer }) => {
  for (const path of ['', '?view=table', '?period=90d', '?tab=team']) {
    await page.goto(`/analytics${path}`)
    await inspect(page, `analytics${path}`)
  }
})
