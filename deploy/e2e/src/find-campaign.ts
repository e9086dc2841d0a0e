import { campaignsApi } from '@parley/contracts/campaigns'
import type { Page } from '@playwright/test'

/** Id of the campaign of this name, in the workspace of the page's session. */
export async function findCampaign(page: Page, name: string): Promise<string> {
  const answer = await page.request.get(`${campaignsApi.list.path}?${new URLSearchParams({ q: name })}`)
  const found = campaignsApi.list.response.parse(await answer.json()).items.find((campaign) => campaign.name === name)
  if (!found) throw new Error(`there is no campaign ${name}`)
  return found.id
}
