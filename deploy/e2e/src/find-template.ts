import { templatesApi } from '@parley/contracts/template-endpoints'
import type { Page } from '@playwright/test'

/** Id of the template of this name, in the workspace of the page's session. */
export async function findTemplate(page: Page, name: string): Promise<string> {
  const answer = await page.request.get(`${templatesApi.list.path}?${new URLSearchParams({ q: name })}`)
  const found = templatesApi.list.response.parse(await answer.json()).items.find((template) => template.name === name)
  if (!found) throw new Error(`there is no template ${name}`)
  return found.id
}
