import type { Page } from '@playwright/test'

/** Collects every call under /api that the page makes beside those of the sign-in (readings 17). */
export function callsBesideSignIn(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/auth/')) calls.push(pathname)
  })
  return calls
}
