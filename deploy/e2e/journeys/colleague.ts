import type { Browser, Page } from '@playwright/test'
import { completeProfileByHttp, signUpByHttp, verifyByHttp } from '../src/accounts.ts'
import type { AppProcess } from '../src/app-process.ts'
import { joinWorkspace } from '../src/database.ts'
import { expect, logIn } from './fixtures.ts'

/** A colleague in a browser of their own. */
export async function colleague(browser: Browser, app: AppProcess, owner: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.urls.app, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const account = await signUpByHttp(page.request, app)
  await verifyByHttp(page.request, app, account)
  await completeProfileByHttp(page.request, app)
  await joinWorkspace(app, page.request, owner.request)
  await context.clearCookies()
  await logIn(page, account)
  await expect(page).toHaveURL('/dashboard')
  return page
}
