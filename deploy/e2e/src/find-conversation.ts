import { conversationsApi } from '@parley/contracts/conversations'
import type { Page } from '@playwright/test'

/** Id of the latest conversation with somebody of this name, in the workspace of the page's session. */
export async function findConversation(page: Page, name: string): Promise<string> {
  const answer = await page.request.get(`${conversationsApi.list.path}?${new URLSearchParams({ q: name, limit: '1' })}`)
  const [found] = conversationsApi.list.response.parse(await answer.json()).items
  if (!found) throw new Error(`nobody called ${name} has written`)
  return found.id
}
