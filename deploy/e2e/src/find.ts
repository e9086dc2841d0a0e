import { type AnyCampaign, campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import type { Page } from '@playwright/test'

/** Returns a list's answer to these words, in the workspace of the page's session. */
async function search(page: Page, path: string, q: string): Promise<unknown> {
  return (await page.request.get(`${path}?${new URLSearchParams({ q })}`)).json()
}

function idOf(found: { id: string } | undefined, name: string): string {
  if (!found) throw new Error(`${name} is not in the list`)
  return found.id
}

export async function findCampaign(page: Page, name: string): Promise<string> {
  const { items } = campaignsApi.list.response.parse(await search(page, campaignsApi.list.path, name))
  return idOf(
    items.find((campaign) => campaign.name === name),
    name,
  )
}

/** A campaign as it is now, or the draft that it still is. */
export async function readCampaign(page: Page, id: string): Promise<AnyCampaign> {
  const answer = await page.request.get(campaignsApi.read.path.replace(':id', id))
  return campaignsApi.read.response.parse(await answer.json())
}

/** Returns the id of the latest conversation with a person of this name. */
export async function findConversation(page: Page, name: string): Promise<string> {
  const { items } = conversationsApi.list.response.parse(await search(page, conversationsApi.list.path, name))
  return idOf(items[0], name)
}

export async function findTemplate(page: Page, name: string): Promise<string> {
  const { items } = templatesApi.list.response.parse(await search(page, templatesApi.list.path, name))
  return idOf(
    items.find((template) => template.name === name),
    name,
  )
}
