import { findCampaign } from './find-campaign.ts'
import { findTemplate } from './find-template.ts'
import { expect, type Walk } from './walk.ts'

/** Templates with their editor, campaigns with their details, and a new broadcast step by step. Signed in. */
export async function seeCampaigns(walk: Walk): Promise<void> {
  await seeTemplates(walk)
  await seeCampaignList(walk)
  await planBroadcast(walk)
}

async function seeTemplates({ page, take }: Walk): Promise<void> {
  await page.goto('/templates')
  await expect(page.getByRole('heading', { name: 'summer_sale' })).toBeVisible()
  await take('templates', 'page')
  await page.goto('/templates?q=nothing+like+it')
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
  await take('templates, no match')
  await page.route('**/api/templates*', () => undefined)
  await page.goto('/templates')
  await expect(page.getByRole('status', { name: 'Loading...' })).toBeVisible()
  await take('templates, loading')
  await page.unroute('**/api/templates*')
  await page.route('**/api/templates*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/templates')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await take('templates, error')
  await page.unroute('**/api/templates*')
  for (const [name = '', template = ''] of [
    ['approved', 'summer_sale'],
    ['rejected', 'flash_deal'],
    ['right to left', 'eid_collection'],
  ]) {
    await page.goto(`/templates?edit=${await findTemplate(page, template)}`)
    await expect(page.getByLabel('Body', { exact: true })).toBeVisible()
    await take(`template editor, ${name}`, 'page')
  }
  await page.goto('/templates?new=1')
  await page.getByRole('button', { name: 'Create Template' }).click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
  await take('template editor, empty', 'page')
}

async function seeCampaignList({ page, take }: Walk): Promise<void> {
  await page.goto('/broadcasts')
  await expect(page.getByRole('heading', { name: 'Summer sale' })).toBeVisible()
  await take('campaigns', 'page')
  await page.route('**/api/campaigns?*', () => undefined)
  await page.goto('/broadcasts')
  await expect(page.getByRole('status', { name: 'Loading...' })).toBeVisible()
  await take('broadcasts, loading')
  await page.unroute('**/api/campaigns?*')
  await page.route('**/api/campaigns?*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/broadcasts')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await take('broadcasts, error')
  await page.unroute('**/api/campaigns?*')
  for (const [name, id] of [
    ['completed', await findCampaign(page, 'Summer sale')],
    ['scheduled', await findCampaign(page, 'Weekend offer')],
    ['gone', 'no-such-campaign'],
  ]) {
    await page.goto(`/broadcasts?id=${id}`)
    await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible()
    await take(`campaign, ${name}`)
  }
}

async function planBroadcast({ page, take }: Walk): Promise<void> {
  await page.goto(`/broadcasts?new=1&template=${await findTemplate(page, 'summer_sale')}`)
  await page.getByLabel('Campaign name').fill('Spring tea')
  await page.getByText('VIP', { exact: true }).click()
  await expect(page.getByText(/contacts get the message/)).toBeVisible()
  await take('new broadcast, audience', 'page')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Text for {{discount}}').fill('15%')
  await take('new broadcast, template', 'page')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('At a date and time').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Choose a date')).toBeVisible()
  await take('new broadcast, schedule', 'page')
  await page.getByText('Now', { exact: true }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Ready to send')).toBeVisible()
  await take('new broadcast, review', 'page')
  await page.goto('/broadcasts')
  await expect(page.getByRole('button', { name: 'Continue Spring tea' }).first()).toBeVisible()
  await take('campaigns, with drafts', 'page')
}
