import { type AnyCampaign, campaignsApi } from '@parley/contracts/campaigns'
import type { Page } from '@playwright/test'

/** Id of the campaign of this name, in the workspace of the page's session. */
export async function findCampaign(page: Page, name: string): Promise<string> {
  const answer = await page.request.get(`${campaignsApi.list.path}?${new URLSearchParams({ q: name })}`)
  const found = campaignsApi.list.response.parse(await answer.json()).items.find((campaign) => campaign.name === name)
  if (!found) throw new Error(`there is no campaign ${name}`)
  return found.id
}

/** A campaign as it is now, or the draft that it still is. */
export async function readCampaign(page: Page, id: string): Promise<AnyCampaign> {
  const answer = await page.request.get(campaignsApi.read.path.replace(':id', id))
  return campaignsApi.read.response.parse(await answer.json())
}
