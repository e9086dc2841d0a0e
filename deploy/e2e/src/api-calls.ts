import type { Page } from '@playwright/test'

/** Domains that the page still answers from sample data. */
const sampleDomains = /^\/api\/(workflows)\b/

/** Collects every call that the page makes for a domain which it answers by itself. */
export function callsOfSampleDomains(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (sampleDomains.test(pathname)) calls.push(pathname)
  })
  return calls
}
